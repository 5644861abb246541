/** Flat configuration: blocks in order. */
declare const config: readonly { readonly files?: readonly string[]; readonly rules?: unknown }[];
export default config;

/** Rule settings, as ESLint takes them. */
export const determinismRules: Record<string, unknown>;

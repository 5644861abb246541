/** File names that people see: safe in a header, marked when the data is synthetic. */

/** Stands in the file name of everything that derives from synthetic data (design §3 "Labels"). */
const MARK = '.synthetic';
const MAX_LENGTH = 120;
/** Controls, bidi and zero-width characters, lone surrogates, and what file systems and shells trip over. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}"*/:<>?\\|;%`$]/gu;

/** A name without path, controls or invisible characters, at most 120 characters, never empty or hidden. */
export function safeFileName(name: string): string {
  const last = name.slice(0, 4_096).split(/[\\/]/).at(-1) ?? '';
  const clean = last
    .replace(UNSAFE, '_')
    .replace(/\s+/gu, ' ')
    .replace(/^[. ]+|[. ]+$/g, '');
  if (clean === '') return 'file';
  const characters = Array.from(clean);
  if (characters.length <= MAX_LENGTH) return clean;
  const dot = clean.lastIndexOf('.');
  const extension = dot > 0 && clean.length - dot <= 12 ? clean.slice(dot) : '';
  const stem = characters
    .slice(0, MAX_LENGTH - extension.length)
    .join('')
    .replace(/[. ]+$/, '');
  return stem + extension;
}

/** `map.html` → `map.synthetic.html` when the labels say so; once, however often it is applied. */
export function markedFileName(name: string, labels: { readonly integrity: readonly string[] }): string {
  const safe = safeFileName(name);
  if (!labels.integrity.includes('synthetic') || safe.includes(MARK)) return safe;
  const dot = safe.indexOf('.', 1);
  return dot < 0 ? safe + MARK : safe.slice(0, dot) + MARK + safe.slice(dot);
}

/** RFC 6266 `Content-Disposition` with an ASCII fallback and the RFC 8187 form for the rest. */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const safe = safeFileName(name);
  const ascii = safe.replace(/[^\x20-\x7e]/gu, '_');
  const base = `${kind}; filename="${ascii}"`;
  if (ascii === safe) return base;
  const encoded = encodeURIComponent(safe).replace(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${base}; filename*=UTF-8''${encoded}`;
}

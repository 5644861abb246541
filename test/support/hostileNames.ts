/** Names that try to leave the place they stand in: script, attribute, comment, entity, XML, template, JSON. */
export const HOSTILE_NAMES = [
  '<script>window.__pwned = 1</script>',
  '</script><script>window.__pwned = 1</script>',
  '</SCRIPT ><img src=x onerror="window.__pwned=1">',
  '"><svg onload=alert(1)>',
  "' onfocus='alert(1)' autofocus='",
  '<!--<script>',
  ']]><x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '{title} {constructor} ${alert(1)} $& $1',
  'javascript:alert(1)',
  'pay\u202Egnp.exe',
  'in\u200Bvis\uFEFFible',
  'break\u2028break\u2029',
  'nul\u0000esc\u001B',
  '__proto__',
  'x'.repeat(1_048_576),
];

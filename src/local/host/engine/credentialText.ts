const HIDDEN = '[Hidden Credential]';

/** What begins a credential, ignoring case (the Functions host's list); all that follows is hidden, up to `< " '`. */
const STARTS = [
  'Token=',
  'DefaultEndpointsProtocol=http',
  'AccountKey=',
  'Data Source=',
  'Server=',
  'Password=',
  'pwd=',
  '&amp;sig=',
  '&sig=',
  '?sig=',
  'SharedAccessKey=',
  '&amp;code=',
  '&code=',
  '?code=',
].map((start) => start.toLowerCase());

/** An address with user and password. */
const WITH_PASSWORD =
  /[a-z0-9]{3,5}:\/\/[^%:\s"'/][^:\s"'/$]+[^:\s"'/$%]:[^%\s"'/][^@\s"'/]{0,100}[^%\s"'/]@[$a-z0-9:._%?=/-]+/gi;

/** Harmless, though it ends like a credential's beginning. */
const HARMLESS = 'publickeytoken=';

function hideFrom(text: string, start: string): string {
  let result = text;
  let from = 0;
  for (;;) {
    const lower = result.toLowerCase();
    const at = lower.indexOf(start, from);
    if (at < 0) return result;
    const begin = lower.lastIndexOf(HARMLESS, at);
    if (begin >= 0 && at < begin + HARMLESS.length) {
      from = at + start.length;
      continue;
    }
    const rest = result.slice(at).search(/[<"']/);
    result = result.slice(0, at) + HIDDEN + (rest < 0 ? '' : result.slice(at + rest));
    from = at + HIDDEN.length;
  }
}

/**
 * The text of an error as the Functions host passes it on: what looks like a key, a connection string or a password is
 * cut (Q24), also inside the state that a failing orchestrator sends as its message. Source of the rule: Sanitizer.cs.
 */
export function hideCredentials(text: string): string {
  const plain = text.replace(WITH_PASSWORD, HIDDEN);
  return plain.includes('=') ? STARTS.reduce(hideFrom, plain) : plain;
}

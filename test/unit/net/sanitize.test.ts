import { describe, expect, it } from 'vitest';
import { sanitize, type Sink } from '../../../src/net/sanitize.ts';

const SINKS: readonly Sink[] = ['log', 'prompt', 'stream', 'terminal'];
const everywhere = (text: string): string[] => SINKS.map((sink) => sanitize(text, sink, 10_000));

describe('sanitize: what steers or hides', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['clear screen', 'a\u001b[2Jb', 'ab'],
    ['a title', 'a\u001b]0;owned\u0007b', 'ab'],
    ['a link', '\u001b]8;;http://x\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['8-bit CSI', 'a\u009b31mb', 'ab'],
    ['a reset', 'a\u001bcb', 'ab'],
    ['an unfinished sequence', 'a\u001b[', 'a'],
    ['backspace, bell and NUL', 'a\b\u0007\u0000b', 'ab'],
    ['bidi', 'user\u202etxt.exe\u2066x\u2069', 'usertxt.exex'],
    ['zero width', 'pay\u200bpal\u2060\ufeff\u00ad', 'paypal'],
    ['tag letters', 'hi\u{e0041}\u{e0042}', 'hi'],
    ['variation selectors', 'a\ufe0f\u{e0101}b', 'ab'],
    ['fillers', 'a\u3164\u115fb', 'ab'],
    ['a lone surrogate', 'a\ud800b', 'a\ufffdb'],
  ])('%s', (_what, text, clean) => {
    for (const result of everywhere(text)) expect(result).toBe(clean);
  });

  it('logs and streams get one line, prompts and terminals keep theirs', () => {
    const text = 'one\r\n\r\ntwo\tthree\u2028four\u0085';
    expect(sanitize(text, 'log', 100)).toBe('one ⏎ two three ⏎ four ⏎ ');
    expect(sanitize(text, 'stream', 100)).not.toMatch(/[\r\n]/);
    expect(sanitize(text, 'prompt', 100)).toBe('one\n\ntwo\tthree\nfour\n');
    expect(sanitize(text, 'terminal', 100)).toBe('one\n\ntwo\tthree\nfour\n');
  });

  it('keeps what people write', () => {
    const text = 'Überschwemmung in Zürich: 12,5 mm – «perché?» 雨量 कुल 30 % (code 4), key figures; tokens: 12';
    for (const result of everywhere(text)) expect(result).toBe(text);
  });
});

describe('O-40 sanitize: secrets', () => {
  it.each([
    'https://x.test/api/runs?code=CANARY',
    'https://x.test/blob?sv=2024&sig=CANARY%2Bx&se=1',
    'https://x.test/rest?f=json&token=CANARY',
    'https://x.test/?access_token=CANARY',
    'https%3A%2F%2Fx.test%3Fsig%3DCANARY',
    'https://user:CANARY@x.test/',
    'Authorization: Bearer CANARY.abc',
    'authorization: Basic CANARY=',
    '{"headers":{"Authorization":"Bearer CANARY"}}',
    '{"access_token": "CANARY"}',
    '{\\"client_secret\\": \\"CANARY\\"}',
    "{'apiKey': 'CANARY'}",
    'AccountName=x;AccountKey=CANARY==;EndpointSuffix=y',
    'Server=x;User Id=sa;Password=CANARY;',
    'Endpoint=sb://x/;SharedAccessKey=CANARY',
    'x-functions-key: CANARY',
    'api-key: CANARY',
    'Cookie: AppServiceAuthSession=CANARY; a=CANARY',
    'to\u200bken=CANARY',
    'si\u00adg=CANARY',
    'client-secret = "CANARY"',
    'AZURE_OPENAI_API_KEY=CANARY',
    'eyJhbGciOiJSUzI1NiJ9.eyJvaWQiOiJDQU5BUlkiCANARY.c2lnbmF0dXJl',
    'sk-CANARYCANARYCANARYCANARY',
    '-----BEGIN RSA PRIVATE KEY-----\nCANARY\n-----END RSA PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\nCANARY',
  ])('%s', (text) => {
    for (const result of everywhere(`before ${text} after`)) {
      expect(result).not.toContain('CANARY');
      expect(result.startsWith('before ')).toBe(true);
    }
  });

  it('what stands beside a secret stays', () => {
    expect(sanitize('GET https://x.test/a?name=rain&sig=abc&hours=24 failed', 'log', 200)).toBe(
      'GET https://x.test/a?name=rain&sig=***&hours=24 failed',
    );
  });

  it('a secret cut by the length limit does not show its beginning', () => {
    const text = `${'x'.repeat(80)} token=CANARY${'y'.repeat(20_000)}`;
    expect(sanitize(text, 'log', 100)).not.toContain('CANARY');
  });
});

describe('sanitize: bounds', () => {
  it('cuts to the limit, not inside a character', () => {
    expect(sanitize('abcdef', 'log', 6)).toBe('abcdef');
    expect(sanitize('abcdefg', 'log', 6)).toBe('abcde…');
    expect(sanitize('abcd😀fg', 'log', 6)).toBe('abcd…');
    expect(sanitize('abc', 'log', 1)).toBe('…');
    expect(sanitize('abc', 'log', 0)).toBe('');
  });

  it('hostile text of megabytes costs little', () => {
    const hostile = [
      'eyJ',
      'Bearer ',
      '\u001b]',
      'key=',
      '"token":"',
      'a-',
      'https://a',
      '-----BEGIN PRIVATE KEY-----',
      ' \n',
    ];
    const before = performance.now();
    for (const part of hostile) sanitize(part.repeat(500_000), 'log', 20_000);
    expect(performance.now() - before).toBeLessThan(3_000);
  });
});

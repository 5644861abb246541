import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { completionEvent } from '../../../src/local/host/engine/activityResult.ts';
import { hideCredentials } from '../../../src/local/host/engine/credentialText.ts';

describe('Q24 error texts that look like credentials are cut', () => {
  it.each([
    ['no AccountKey=abc==;x="kept"', 'no [Hidden Credential]"kept"'],
    ['GET https://x/y?sig=abc&se=1', 'GET https://x/y[Hidden Credential]'],
    ['a ?code=1 <b> &CODE=2', 'a [Hidden Credential]<b> [Hidden Credential]'],
    ["Server=one' Server=two", "[Hidden Credential]' [Hidden Credential]"],
    ['to https://user:secret@host.example/path now', 'to [Hidden Credential] now'],
    ['System, PublicKeyToken=b77a5c', 'System, PublicKeyToken=b77a5c'],
    ['PublicKeyToken=1 and Token=2', 'PublicKeyToken=1 and [Hidden Credential]'],
    ['nothing to hide: x=1, passwordless', 'nothing to hide: x=1, passwordless'],
    ['', ''],
  ])('%s', (text, expected) => expect(hideCredentials(text)).toBe(expected));

  it('holds for what an activity threw, in reason and details', () => {
    const event = completionEvent(0, 'f', { ok: false, message: 'Password=hunter2', stack: '' }, 0);
    expect(event).toMatchObject({ Reason: "Activity function 'f' failed:  [Hidden Credential]" });
    expect(JSON.stringify(event)).not.toMatch(/hunter2/);
  });

  it('a second pass changes nothing, whatever the text', () => {
    const piece = fc.constantFrom(
      'Token=',
      'pwd=',
      '?sig=',
      '"',
      '<',
      "'",
      'publickeytoken=',
      'https://aa:bb@cc',
      'x ',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = hideCredentials(pieces.join(''));
        expect(hideCredentials(once)).toBe(once);
      }),
    );
  });
});

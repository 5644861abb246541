/** The key pair of local tokens: made once, in the state folder, readable by its owner alone. */
import { chmod, link, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { exportJWK, exportPKCS8, generateKeyPair, importPKCS8, SignJWT, type CryptoKey, type JWK } from 'jose';
import type { Role } from './principal.ts';

export const LOCAL_ISSUER = 'geoagent-local';
export const LOCAL_AUDIENCE = 'geoagent';
const KEY_FILE = 'token-key.pem';
const HOUR_S = 3_600;

/** The key file is readable by others, so anybody may have signed. */
export class KeyExposed extends Error {
  override readonly name = 'KeyExposed';
}

/** Private key of this state folder; made when missing (two processes at once end with one key). Throws `KeyExposed`. */
export async function localPrivateKey(stateDirectory: string): Promise<CryptoKey> {
  const path = join(stateDirectory, KEY_FILE);
  const found = await readKey(path);
  if (found !== undefined) return found;
  await mkdir(stateDirectory, { recursive: true });
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const own = `${path}.${randomBytes(6).toString('hex')}`;
  await writeFile(own, await exportPKCS8(privateKey), { mode: 0o600, flag: 'wx' });
  try {
    // A link appears whole or not at all, and fails when another process was first.
    await link(own, path);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    await rm(own, { force: true });
  }
  return (await readKey(path)) ?? privateKey;
}

async function readKey(path: string): Promise<CryptoKey | undefined> {
  let pem: string;
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new KeyExposed(`${path} must have mode 600; delete it and start again.`);
    }
    pem = await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  await chmod(path, 0o600);
  return importPKCS8(pem, 'RS256', { extractable: true });
}

/** The public half as a JWK set. */
export async function localPublicKeys(stateDirectory: string): Promise<{ keys: JWK[] }> {
  const { kty, n, e } = await exportJWK(await localPrivateKey(stateDirectory));
  if (kty === undefined || n === undefined || e === undefined) throw new TypeError('The local key is no RSA key.');
  return { keys: [{ kty, n, e, alg: 'RS256', use: 'sig' }] };
}

export interface LocalToken {
  readonly oid: string;
  readonly tenant: string;
  readonly roles: readonly Role[];
  /** An application in place of a person. */
  readonly application?: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Default 8 hours. */
  readonly lifetimeSeconds?: number;
}

/** A signed JWT for this state folder's server. */
export async function signLocalToken(stateDirectory: string, token: LocalToken): Promise<string> {
  const issuedAt = Math.floor(token.now / 1_000);
  const person = token.application === true ? { idtyp: 'app' } : { scp: 'access' };
  return new SignJWT({ oid: token.oid, tid: token.tenant, roles: [...token.roles], ...person })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(LOCAL_ISSUER)
    .setAudience(LOCAL_AUDIENCE)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + (token.lifetimeSeconds ?? 8 * HOUR_S))
    .sign(await localPrivateKey(stateDirectory));
}

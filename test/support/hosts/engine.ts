import type { TestHost, TestHostOptions } from './types.ts';
export function startEngine(_options: TestHostOptions): Promise<TestHost> {
  return Promise.reject(new Error('The real engine does not have this interface yet.'));
}

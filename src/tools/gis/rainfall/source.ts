import type { ToolInput } from '../../../catalog/tool.ts';
import { ToolError } from '../../../plan/errors.ts';
import type { SourceInfo } from '../formats.ts';

/** The bytes of a source argument. @throws SOURCE_REQUIRED when the caller did not provide them. */
export function sourceInput(inputs: ReadonlyMap<string, ToolInput>): ToolInput {
  const input = inputs.get('source');
  if (input === undefined) throw new ToolError('SOURCE_REQUIRED', 'No data was given for the argument source.');
  return input;
}

/** Where data came from, for maps and reports. */
export function sourceInfo(source: string | { readonly upload: string }, input: ToolInput): SourceInfo {
  return {
    kind: typeof source === 'string' ? source : 'upload',
    name: input.name ?? '',
    sha256: input.sha256,
    licence: input.labels.licences.join('; '),
  };
}

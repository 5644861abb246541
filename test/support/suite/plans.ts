/** Plans over the test tools, short to write. */
export interface NodeText {
  readonly id: string;
  readonly tool: string;
  readonly dependsOn: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
  readonly [more: string]: unknown;
}

/** A node of tool `test.<tool>`, or of a tool whose name has a dot. */
export function node(
  id: string,
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
  dependsOn: readonly string[] = [],
  more: Readonly<Record<string, unknown>> = {},
): NodeText {
  return { id, tool: tool.includes('.') ? tool : `test.${tool}`, dependsOn, args, ...more };
}

export const plan = (nodes: readonly NodeText[], more: Readonly<Record<string, unknown>> = {}): object => ({
  nodes,
  ...more,
});

export const ref = (text: string, more: Readonly<Record<string, unknown>> = {}): object => ({ ref: text, ...more });

/** a → (b, c) → d. */
export const diamond = (tool = 'count', ms = 0): readonly NodeText[] => [
  node('a', tool, { ms, value: 1 }),
  node('b', tool, { ms, value: ref('a.value') }, ['a']),
  node('c', tool, { ms, value: ref('a.value') }, ['a']),
  node('d', tool, { ms, value: [ref('b.value'), ref('c.value')] }, ['b', 'c']),
];

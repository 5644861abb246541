import type { Integrity, Labels } from './tool.ts';

export const TRUSTED: Labels = { integrity: [], confidentiality: 'internal', licences: [] };

const RANK = { public: 0, internal: 1, restricted: 2 } as const;

/**
 * Labels of something made from all of these: the union of what they carry, the stricter confidentiality. Labels flow
 * over data and control edges alike, so that a node steered by synthetic data cannot shed the mark (design §3).
 */
export function joinLabels(all: readonly Labels[]): Labels {
  const integrity = new Set<Integrity>();
  const licences = new Set<string>();
  let confidentiality: Labels['confidentiality'] = 'public';
  for (const labels of all) {
    labels.integrity.forEach((mark) => integrity.add(mark));
    labels.licences.forEach((licence) => licences.add(licence));
    if (RANK[labels.confidentiality] > RANK[confidentiality]) confidentiality = labels.confidentiality;
  }
  if (all.length === 0) confidentiality = TRUSTED.confidentiality;
  return { integrity: [...integrity].sort(), confidentiality, licences: [...licences].sort() };
}

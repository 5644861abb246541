/**
 * Indexes for what is asked often: whole nodes of a run that has many items, and what the janitor looks for. The filters
 * name what is rare, so that they stay small however many runs are kept.
 */
export const m0003Lookups = `
CREATE INDEX OperationsWhole ON WorkflowOperations (RunId, NodeId) WHERE Item = -1;
CREATE INDEX ArtifactsWhole ON Artifacts (RunId, NodeId, Output) WHERE Item = -1;
CREATE INDEX DecisionsWhole ON Decisions (RunId, By, Seq) WHERE Item = -1;
CREATE INDEX ArtifactsByOperation ON Artifacts (OperationKey);

CREATE INDEX OperationsOpen ON WorkflowOperations (OwnerUntil)
  WHERE State IN ('reserved', 'submitted', 'adopted', 'resubmitted');
CREATE INDEX InstancesOpen ON Instances (RunId) WHERE EndedAt IS NULL;
CREATE INDEX RunsOpen ON Runs (CreatedAt, RunId) WHERE EndedAt IS NULL;
CREATE INDEX RunsToPurge ON Runs (EndedAt, RunId) WHERE PurgedAt IS NULL;
DROP INDEX RunsByStatus;
`;

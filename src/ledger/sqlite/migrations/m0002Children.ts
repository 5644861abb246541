/**
 * Children, loops and control: instances that the ledger expects, expansions of `forEach` groups, numbered control
 * changes, decisions by the orchestrator that took them, small values beside their artifact rows.
 */
export const m0002Children = `
ALTER TABLE Runs ADD COLUMN ControlSeq INTEGER NOT NULL DEFAULT 0;
ALTER TABLE Runs ADD COLUMN Stopping TEXT;
ALTER TABLE Runs ADD COLUMN RetryOf TEXT;
ALTER TABLE Runs ADD COLUMN AsOf INTEGER;
ALTER TABLE Runs ADD COLUMN PurgedAt INTEGER;
CREATE INDEX RunsByStatus ON Runs (Status, CreatedAt);

ALTER TABLE Artifacts ADD COLUMN Value TEXT;
CREATE INDEX OperationsByState ON WorkflowOperations (RunId, NodeId, State, Item);

CREATE TABLE DecisionsBy (
  RunId TEXT NOT NULL REFERENCES Runs (RunId),
  By TEXT NOT NULL,
  Seq INTEGER NOT NULL,
  NodeId TEXT NOT NULL,
  Item INTEGER NOT NULL,
  Kind TEXT NOT NULL,
  Attempt INTEGER NOT NULL,
  Reason TEXT NOT NULL,
  PRIMARY KEY (RunId, By, Seq)
) STRICT;
INSERT INTO DecisionsBy SELECT RunId, RunId, Seq, NodeId, Item, Kind, Attempt, Reason FROM Decisions;
DROP TABLE Decisions;
ALTER TABLE DecisionsBy RENAME TO Decisions;
CREATE INDEX DecisionsByItem ON Decisions (RunId, NodeId, Item);

CREATE TABLE Instances (
  InstanceId TEXT PRIMARY KEY,
  RunId TEXT NOT NULL REFERENCES Runs (RunId),
  Kind TEXT NOT NULL,
  Revision INTEGER NOT NULL,
  NodeId TEXT NOT NULL,
  Item INTEGER NOT NULL,
  Attempt INTEGER NOT NULL,
  State TEXT NOT NULL,
  DueAt INTEGER,
  ToItem INTEGER,
  CreatedAt INTEGER NOT NULL,
  EndedAt INTEGER
) STRICT;
CREATE INDEX InstancesByRun ON Instances (RunId, State);

CREATE TABLE Expansions (
  RunId TEXT NOT NULL REFERENCES Runs (RunId),
  Revision INTEGER NOT NULL,
  NodeId TEXT NOT NULL,
  ItemCount INTEGER NOT NULL,
  ItemsDigest TEXT NOT NULL,
  Mode TEXT NOT NULL,
  CreatedAt INTEGER NOT NULL,
  PRIMARY KEY (RunId, Revision, NodeId)
) STRICT;
`;

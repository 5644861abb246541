namespace GeoAgent.EngineHost;

/// <summary>What the Functions host reports for an invocation whose worker process has been killed.</summary>
public sealed class WorkerProcessExitException() : Exception("node exited with code 137 (0x89)");

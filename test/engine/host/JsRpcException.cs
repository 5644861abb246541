namespace GeoAgent.EngineHost;

/// <summary>
/// A failure of a JavaScript function in the text form of the Functions host. The extension cuts the message out
/// between "\nException:" and "\nStack:", and finds the state of a failed orchestrator inside it.
/// </summary>
public sealed class JsRpcException(string message, string stack)
    : Exception($"Result: Failure\nException: {message}\nStack: {stack}");

namespace GeoAgent.EngineHost;

/// <summary>A durable function that the Node runner has registered.</summary>
/// <param name="Name">Function name.</param>
/// <param name="Trigger">Type of its trigger binding, e.g. orchestrationTrigger.</param>
public sealed record JsFunction(string Name, string Trigger);

using Microsoft.Azure.WebJobs;
using Microsoft.Azure.WebJobs.Extensions.DurableTask;

namespace GeoAgent.EngineHost;

/// <summary>Functions of this host itself.</summary>
public static class HostFunctions
{
    /// <summary>The value of a durable client binding, as a JavaScript function would get it.</summary>
    public static string? Client { get; private set; }

    [NoAutomaticTrigger]
    [FunctionName(nameof(CaptureClient))]
    public static void CaptureClient([DurableClient] string client) => Client = client;

    /// <summary>No JavaScript, no bridge: completes when the extension itself works on this storage. Tells the newest schema it announces.</summary>
    [FunctionName(nameof(LiteralOrchestrator))]
    public static Task<object> LiteralOrchestrator([OrchestrationTrigger] string payload)
    {
        int schema = Newtonsoft.Json.Linq.JObject.Parse(payload).Value<int>("upperSchemaVersionNew");
        string state = $$"""{"isDone":true,"actions":[[]],"output":{"announced":{{schema}}},"schemaVersion":{{schema}}}""";
        return Task.FromResult<object>(Newtonsoft.Json.Linq.JObject.Parse(state));
    }
}

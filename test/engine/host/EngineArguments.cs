using Newtonsoft.Json;

namespace GeoAgent.EngineHost;

/// <summary>What the harness tells this process, as JSON in its only argument.</summary>
/// <param name="Runner">Address of the Node runner, with a slash at the end.</param>
/// <param name="AppDirectory">Folder with the app's host.json.</param>
/// <param name="HubName">Task hub where host.json names none.</param>
/// <param name="WebhookUrl">Where the runner serves the durable webhooks, with the key in the query.</param>
/// <param name="WorkerLoss">"redeliver" or "fail", see <see cref="NodeBridge"/>.</param>
public sealed record EngineArguments(Uri Runner, string AppDirectory, string HubName, Uri WebhookUrl, string WorkerLoss)
{
    public static EngineArguments Parse(string[] args) =>
        JsonConvert.DeserializeObject<EngineArguments>(args.Single()) ?? throw new ArgumentException("no arguments");
}

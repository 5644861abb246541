using Microsoft.Azure.WebJobs.Extensions.DurableTask;

namespace GeoAgent.EngineHost;

/// <summary>Settings that make the real engine quick on a small machine; nothing that changes what it does.</summary>
public static class EngineSettings
{
    public static void Apply(DurableTaskOptions options, string hubName)
    {
        options.HubName = hubName;
        options.StorageProvider["partitionCount"] = 1;
        options.StorageProvider["maxQueuePollingInterval"] = "00:00:00.100";
        options.MaxConcurrentActivityFunctions = 32;
        options.MaxConcurrentOrchestratorFunctions = 16;
    }
}

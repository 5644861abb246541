using System.Reflection;
using Microsoft.Azure.WebJobs.Extensions.DurableTask;

namespace GeoAgent.EngineHost;

/// <summary>Laid over the app's own host.json: what makes the real engine quick on a small machine, nothing that changes what it does.</summary>
public static class EngineSettings
{
    /// <summary>
    /// How long a message that a killed host had taken stays invisible; in Azure 5 minutes. It is renewed every 5 s while
    /// its work runs, so the rest is what a busy machine may lose without running an activity twice.
    /// </summary>
    private static readonly TimeSpan Visibility = TimeSpan.FromSeconds(20);

    /// <summary>Below host.json: a task hub for an app that names none.</summary>
    public static Dictionary<string, string?> Defaults(EngineArguments arguments) => new()
    {
        // Makes the root of host.json the section that extensions are configured from.
        ["AzureWebJobsConfigurationSection"] = string.Empty,
        ["extensions:durableTask:hubName"] = arguments.HubName,
    };

    /// <summary>Above host.json.</summary>
    public static Dictionary<string, string?> Overrides() => new()
    {
        ["extensions:durableTask:storageProvider:partitionCount"] = "1",
        ["extensions:durableTask:storageProvider:maxQueuePollingInterval"] = "00:00:00.100",
        ["extensions:durableTask:storageProvider:workItemQueueVisibilityTimeout"] = Visibility.ToString(),
    };

    /// <summary>
    /// The same for the control queue. The extension's check allows no less than a minute there, so the value is set on
    /// the options after they have been checked and before they are used.
    /// </summary>
    public static void ShortenControlQueue(IDurabilityProviderFactory factory)
    {
        FieldInfo field = factory.GetType().GetField("azureStorageOptions", BindingFlags.Instance | BindingFlags.NonPublic)
            ?? throw new InvalidOperationException("This version of the extension keeps its storage options elsewhere.");
        ((AzureStorageOptions)field.GetValue(factory)!).ControlQueueVisibilityTimeout = Visibility;
    }
}

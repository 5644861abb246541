using Microsoft.Azure.WebJobs.Host.Config;

namespace GeoAgent.EngineHost;

/// <summary>Management links point at the app's own port, where the runner passes them on to <see cref="WebHookServer"/>.</summary>
public sealed class LocalWebHookProvider(EngineArguments arguments) : IWebHookProvider
{
    public Uri GetUrl(IExtensionConfigProvider extension) => arguments.WebhookUrl;
}

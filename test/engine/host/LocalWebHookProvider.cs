using Microsoft.Azure.WebJobs.Host.Config;

namespace GeoAgent.EngineHost;

/// <summary>The extension needs an address for management links; clients of this host use its loopback RPC listener.</summary>
public sealed class LocalWebHookProvider : IWebHookProvider
{
    public Uri GetUrl(IExtensionConfigProvider extension) => new("http://localhost:7071/runtime/webhooks/durabletask?code=local");
}

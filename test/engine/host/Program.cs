using GeoAgent.EngineHost;
using Microsoft.Azure.WebJobs;
using Microsoft.Azure.WebJobs.Extensions.DurableTask;
using Microsoft.Azure.WebJobs.Host.Config;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

// Argument: EngineArguments as JSON; settings come from the environment (AzureWebJobsStorage, ENGINE_LOG, what host.json names).
// Prints "READY <client binding and webhook origin as JSON>" when functions can be started; ends when its input is closed.
EngineArguments arguments = EngineArguments.Parse(args);
var bridge = new NodeBridge(arguments);
NodeBridge.Current = bridge;
Environment.SetEnvironmentVariable("FUNCTIONS_WORKER_RUNTIME", "node");

// A container's own name makes the extension believe that it is on a cloud plan and write every trace to the output.
Environment.SetEnvironmentVariable("CONTAINER_NAME", null);
IReadOnlyList<JsFunction> functions = await bridge.ListAsync();

using IHost host = new HostBuilder()
    .ConfigureAppConfiguration(config => config
        .AddInMemoryCollection(EngineSettings.Defaults(arguments))
        .AddJsonFile(Path.Combine(arguments.AppDirectory, "host.json"), optional: true)
        .AddInMemoryCollection(EngineSettings.Overrides())
        .AddEnvironmentVariables())
    .ConfigureLogging(logging => logging
        .SetMinimumLevel(Enum.Parse<LogLevel>(Environment.GetEnvironmentVariable("ENGINE_LOG") ?? "Warning"))
        // Its warnings are the 404 and 409 answers that the storage provider asks for and expects.
        .AddFilter("Azure.Core", LogLevel.Error)
        .AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace))
    .ConfigureServices(services => services
        .AddSingleton(arguments)
        .AddSingleton<ITypeLocator>(new JsTypeLocator(functions))
        .AddSingleton<IWebHookProvider, LocalWebHookProvider>())
    .ConfigureWebJobs(builder => builder.AddDurableTask())
    .Build();

EngineSettings.ShortenControlQueue(host.Services.GetServices<IDurabilityProviderFactory>().First());
await host.StartAsync();
await host.Services.GetRequiredService<IJobHost>().CallAsync(nameof(HostFunctions.CaptureClient), new Dictionary<string, object>());
string client = HostFunctions.Client ?? throw new InvalidOperationException("The extension gave no client binding.");
DurableTaskExtension extension = host.Services.GetServices<IExtensionConfigProvider>().OfType<DurableTaskExtension>().Single();
await using WebHookServer webhooks = await WebHookServer.StartAsync(extension);
Console.WriteLine("READY " + new JObject { ["client"] = client, ["webhooks"] = webhooks.Address }.ToString(Formatting.None));

// The parent holds the other end: end of input means that it wants us to stop, or is gone.
await Console.In.ReadToEndAsync();
await host.StopAsync(TimeSpan.FromSeconds(10));

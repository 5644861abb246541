using GeoAgent.EngineHost;
using Microsoft.Azure.WebJobs;
using Microsoft.Azure.WebJobs.Extensions.DurableTask;
using Microsoft.Azure.WebJobs.Host.Config;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

// Usage: EngineHost <runner address> <hub name>; settings come from the environment (AzureWebJobsStorage).
// Prints "READY <client json>" when functions can be started, and ends when its input is closed.
var bridge = new NodeBridge(new Uri(args[0]));
NodeBridge.Current = bridge;
Environment.SetEnvironmentVariable("FUNCTIONS_WORKER_RUNTIME", "node");

// A container's own name makes the extension believe that it is on a cloud plan and write every trace to the output.
Environment.SetEnvironmentVariable("CONTAINER_NAME", null);
IReadOnlyList<JsFunction> functions = await bridge.ListAsync();

using IHost host = new HostBuilder()
    .ConfigureAppConfiguration(config => config.AddEnvironmentVariables())
    .ConfigureLogging(logging => logging
        .SetMinimumLevel(Enum.Parse<LogLevel>(Environment.GetEnvironmentVariable("ENGINE_LOG") ?? "Warning"))
        .AddConsole(console => console.LogToStandardErrorThreshold = LogLevel.Trace))
    .ConfigureServices(services => services
        .AddSingleton<ITypeLocator>(new JsTypeLocator(functions))
        .AddSingleton<IWebHookProvider, LocalWebHookProvider>())
    .ConfigureWebJobs(builder => builder.AddDurableTask(options => EngineSettings.Apply(options, hubName: args[1])))
    .Build();

await host.StartAsync();
await host.Services.GetRequiredService<IJobHost>().CallAsync(nameof(HostFunctions.CaptureClient), new Dictionary<string, object>());
string client = HostFunctions.Client ?? throw new InvalidOperationException("The extension gave no client binding.");
await bridge.SendClientAsync(client);
Console.WriteLine("READY " + JObject.Parse(client).ToString(Formatting.None));

// The parent holds the other end: end of input means that it wants us to stop, or is gone.
await Console.In.ReadToEndAsync();
await host.StopAsync(TimeSpan.FromSeconds(10));

using System.Text;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace GeoAgent.EngineHost;

/// <summary>
/// Calls the functions in the Node runner over loopback HTTP. While no runner listens, calls wait for the next one, as the
/// Functions host keeps invocations for a worker that is starting. When a runner ends in the middle of a call:
/// "redeliver" calls the next runner with the same payload, which is what an app sees when its whole instance is lost
/// and the message is delivered again; "fail" fails the invocation, as the Functions host does when only its worker
/// process has ended (for Node the extension makes that a failed activity or a failed orchestration).
/// </summary>
public sealed class NodeBridge(EngineArguments arguments)
{
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(50);

    private readonly HttpClient http = new() { BaseAddress = arguments.Runner, Timeout = Timeout.InfiniteTimeSpan };

    public static NodeBridge? Current { get; set; }

    /// <summary>Target of the emitted methods. Runs off the orchestrator's thread, which the extension blocks.</summary>
    public static Task<object?> InvokeAsync(string name, string? payload) =>
        Task.Run(() => (Current ?? throw new InvalidOperationException("No bridge.")).CallAsync(name, payload));

    public async Task<IReadOnlyList<JsFunction>> ListAsync() =>
        JsonConvert.DeserializeObject<List<JsFunction>>(await this.http.GetStringAsync("functions")) ?? [];

    private static StringContent Json(string text) => new(text, Encoding.UTF8, "application/json");

    /// <summary>As the Functions host reads JSON: text that looks like a date stays text.</summary>
    private static JToken? Parse(string text) =>
        JsonConvert.DeserializeObject<JToken>(text, new JsonSerializerSettings { DateParseHandling = DateParseHandling.None });

    private async Task<object?> CallAsync(string name, string? payload)
    {
        var answer = (JObject)Parse(await this.PostAsync(JsonConvert.SerializeObject(new { name, payload })))!;
        if (!answer.Value<bool>("ok"))
        {
            throw new JsRpcException(answer.Value<string>("message") ?? string.Empty, answer.Value<string>("stack") ?? string.Empty);
        }

        return answer["returnValue"] is JObject value ? FromTypedData(value) : null;
    }

    private async Task<string> PostAsync(string body)
    {
        while (true)
        {
            try
            {
                using var request = new HttpRequestMessage(HttpMethod.Post, "invoke") { Content = Json(body) };
                // A connection of its own: one that broke says that this very call was lost.
                request.Headers.ConnectionClose = true;
                using HttpResponseMessage response = await this.http.SendAsync(request);
                response.EnsureSuccessStatusCode();
                return await response.Content.ReadAsStringAsync();
            }
            catch (HttpRequestException e) when (e.HttpRequestError == HttpRequestError.ConnectionError)
            {
                await Task.Delay(Pause);
            }
            catch (HttpRequestException e) when (e.StatusCode is null)
            {
                Console.Error.WriteLine($"The runner ended during a call ({e.Message}); {arguments.WorkerLoss}.");
                if (arguments.WorkerLoss == "fail")
                {
                    throw new WorkerProcessExitException();
                }
            }
        }
    }

    private static object? FromTypedData(JObject value)
    {
        if (value.Value<string>("json") is { } json)
        {
            return Parse(json);
        }

        return value.Value<string>("string") ?? (object?)value.Value<long?>("int") ?? value.Value<double?>("double");
    }
}

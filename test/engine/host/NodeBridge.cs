using System.Text;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace GeoAgent.EngineHost;

/// <summary>Calls the functions in the Node runner over loopback HTTP.</summary>
public sealed class NodeBridge(Uri runner)
{
    private readonly HttpClient http = new() { BaseAddress = runner, Timeout = Timeout.InfiniteTimeSpan };

    public static NodeBridge? Current { get; set; }

    /// <summary>Target of the emitted methods. Runs off the orchestrator's thread, which the extension blocks.</summary>
    public static Task<object?> InvokeAsync(string name, string? payload) =>
        Task.Run(() => (Current ?? throw new InvalidOperationException("No bridge.")).CallAsync(name, payload));

    public async Task<IReadOnlyList<JsFunction>> ListAsync() =>
        JsonConvert.DeserializeObject<List<JsFunction>>(await this.http.GetStringAsync("functions")) ?? [];

    public async Task SendClientAsync(string client)
    {
        using HttpResponseMessage answer = await this.http.PostAsync("client", Json(client));
        answer.EnsureSuccessStatusCode();
    }

    private static StringContent Json(string text) => new(text, Encoding.UTF8, "application/json");

    /// <summary>As the Functions host reads JSON: text that looks like a date stays text.</summary>
    private static JToken? Parse(string text) =>
        JsonConvert.DeserializeObject<JToken>(text, new JsonSerializerSettings { DateParseHandling = DateParseHandling.None });

    private async Task<object?> CallAsync(string name, string? payload)
    {
        string body = JsonConvert.SerializeObject(new { name, payload });
        using HttpResponseMessage response = await this.http.PostAsync("invoke", Json(body));
        response.EnsureSuccessStatusCode();
        var answer = (JObject)Parse(await response.Content.ReadAsStringAsync())!;
        if (!answer.Value<bool>("ok"))
        {
            throw new JsRpcException(answer.Value<string>("message") ?? string.Empty, answer.Value<string>("stack") ?? string.Empty);
        }

        return answer["returnValue"] is JObject value ? FromTypedData(value) : null;
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

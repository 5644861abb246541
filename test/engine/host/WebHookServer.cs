using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.Azure.WebJobs;
using Microsoft.Azure.WebJobs.Extensions.DurableTask;

namespace GeoAgent.EngineHost;

/// <summary>Serves the extension's own management API on a free loopback port; the runner checks keys and forwards.</summary>
public sealed class WebHookServer(WebApplication web) : IAsyncDisposable
{
    /// <summary>Origin that it listens on.</summary>
    public string Address => web.Services.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.Single();

    public static async Task<WebHookServer> StartAsync(DurableTaskExtension extension)
    {
        WebApplicationBuilder builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.UseUrls("http://127.0.0.1:0");
        WebApplication web = builder.Build();
        web.Run(context => AnswerAsync(extension, context));
        await web.StartAsync();
        return new WebHookServer(web);
    }

    public ValueTask DisposeAsync() => web.DisposeAsync();

    private static async Task AnswerAsync(IAsyncConverter<HttpRequestMessage, HttpResponseMessage> extension, HttpContext context)
    {
        using HttpRequestMessage request = await ReadAsync(context.Request);
        using HttpResponseMessage answer = await extension.ConvertAsync(request, context.RequestAborted);
        context.Response.StatusCode = (int)answer.StatusCode;
        foreach ((string name, IEnumerable<string> values) in answer.Headers.Concat(answer.Content?.Headers ?? Enumerable.Empty<KeyValuePair<string, IEnumerable<string>>>()))
        {
            context.Response.Headers[name] = values.ToArray();
        }

        if (answer.Content is not null)
        {
            await answer.Content.CopyToAsync(context.Response.Body);
        }
    }

    /// <summary>The address keeps the caller's Host header: links in the answer are made from it.</summary>
    private static async Task<HttpRequestMessage> ReadAsync(HttpRequest from)
    {
        var body = new MemoryStream();
        await from.Body.CopyToAsync(body);
        var request = new HttpRequestMessage(new HttpMethod(from.Method), $"http://{from.Host}{from.Path}{from.QueryString}")
        {
            Content = new ByteArrayContent(body.ToArray()),
        };
        foreach ((string name, Microsoft.Extensions.Primitives.StringValues values) in from.Headers)
        {
            if (!request.Headers.TryAddWithoutValidation(name, values.ToArray()))
            {
                request.Content.Headers.TryAddWithoutValidation(name, values.ToArray());
            }
        }

        return request;
    }
}

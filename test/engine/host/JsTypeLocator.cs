using System.Reflection;
using System.Reflection.Emit;
using Microsoft.Azure.WebJobs;
using Microsoft.Azure.WebJobs.Extensions.DurableTask;

namespace GeoAgent.EngineHost;

/// <summary>
/// Gives the WebJobs host one static method per JavaScript function, as the Functions host does: a string parameter
/// with the trigger's attribute makes the extension treat the function as out-of-process.
/// </summary>
public sealed class JsTypeLocator(IReadOnlyList<JsFunction> functions) : ITypeLocator
{
    private readonly IReadOnlyList<Type> types = [Emit(functions), typeof(HostFunctions)];

    public IReadOnlyList<Type> GetTypes() => this.types;

    private static Type Emit(IReadOnlyList<JsFunction> functions)
    {
        AssemblyBuilder assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("JsFunctions"), AssemblyBuilderAccess.Run);
        TypeBuilder type = assembly.DefineDynamicModule("JsFunctions")
            .DefineType("JsFunctions", TypeAttributes.Public | TypeAttributes.Abstract | TypeAttributes.Sealed);
        foreach (JsFunction function in functions)
        {
            if (TriggerAttribute(function.Trigger) is { } trigger)
            {
                DefineMethod(type, function.Name, trigger);
            }
        }

        return type.CreateType();
    }

    private static Type? TriggerAttribute(string trigger) => trigger.ToLowerInvariant() switch
    {
        "orchestrationtrigger" => typeof(OrchestrationTriggerAttribute),
        "activitytrigger" => typeof(ActivityTriggerAttribute),
        "entitytrigger" => typeof(EntityTriggerAttribute),
        _ => null, // HTTP and timer triggers are the runner's own business.
    };

    private static void DefineMethod(TypeBuilder type, string name, Type trigger)
    {
        MethodBuilder method = type.DefineMethod(
            name, MethodAttributes.Public | MethodAttributes.Static, typeof(Task<object>), [typeof(string)]);
        method.SetCustomAttribute(new CustomAttributeBuilder(typeof(FunctionNameAttribute).GetConstructor([typeof(string)])!, [name]));
        // "instanceId" and "data" are reserved names of the activity trigger.
        ParameterBuilder parameter = method.DefineParameter(1, ParameterAttributes.None, "payload");
        parameter.SetCustomAttribute(new CustomAttributeBuilder(trigger.GetConstructor([])!, []));
        ILGenerator il = method.GetILGenerator();
        il.Emit(OpCodes.Ldstr, name);
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Call, typeof(NodeBridge).GetMethod(nameof(NodeBridge.InvokeAsync))!);
        il.Emit(OpCodes.Ret);
    }
}

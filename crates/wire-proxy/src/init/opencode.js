// The plugin of OpenCode.
export const WireProxy = async () => ({
  "tool.execute.after": async ({ tool, args }, output) => {
    try {
      const text = await answer({ agent: "opencode", tool, args, output });
      if (text) Object.assign(output, JSON.parse(text));
    } catch {}
  },
});

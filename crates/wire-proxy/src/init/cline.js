// The plugin of Cline.
export default {
  name: "wire-proxy",
  manifest: { capabilities: ["hooks"] },
  hooks: {
    // An error here would end the whole run of the agent.
    async afterTool({ tool, input, result }) {
      try {
        const text = await answer({ agent: "cline", tool: tool.name, args: input, output: result.output });
        if (text) return { result: { ...result, ...JSON.parse(text) } };
      } catch {}
    },
  },
};

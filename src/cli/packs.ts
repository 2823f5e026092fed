import { describedPacks } from '../rules/index.ts'
import { openToolFacts } from '../facts/tool-call.ts'
import { openPolicyLoader } from '../policy/compile/policy-loader.ts'
import { openSandbox } from '../policy/open-sandbox.ts'
import { type Command, jsonText, printed } from './command.ts'
import { parseFlags, usage } from './flags.ts'
import { listText, packText, shownPack } from './packs/report.ts'

export const packs: Command = {
  summary: 'the policy packs that come with hookgate, and what each of their rules stops',
  help: `hookgate packs: the policy packs that come with hookgate

  hookgate packs [NAME] [--json]

Lists the packs: what each one prevents, how many rules it has, and how severe that would be. With NAME, which may also
be the path of a folder of your own with a pack.json, shows its rules and params, and how to turn it on:

  {"packs": [{"pack": "git-safety", "params": {…}, "disable": ["RULE"]}]}

in .hookgate/hooks.json of a project, or in hooks.json in ~/.config/hookgate. A pack is off until it is listed there.

  --json                    the same, as one JSON object: packs, each with its rules

  hookgate packs git-safety
`,
  async run({ argv, cwd }) {
    const { values, positionals } = parseFlags('packs', argv, { json: { type: 'boolean' } }, true)
    const [name, ...others] = positionals
    if (others.length > 0) throw usage('packs takes one name', 'packs')
    const sandbox = openSandbox('process', openToolFacts())
    try {
      const described = await describedPacks(name === undefined ? [] : [name], cwd, openPolicyLoader(sandbox))
      if (values.json === true) return printed(jsonText({ packs: described.map(shownPack) }, 2))
      const [only] = described
      return printed(name === undefined || only === undefined ? listText(described) : packText(only, name))
    } finally {
      await sandbox.close()
    }
  },
}

import { presetNames } from '../../files/policy-files.ts'
import { homeFolder } from '../../files/home-folder.ts'
import { describedPacks, namedPolicies, placesFor, problemsError, rulesJsonSchema } from '../../rules/index.ts'
import { type Command, jsonText, printed } from '../command.ts'
import { parseFlags } from '../args/flags.ts'
import { withPolicies } from '../../install/with-policies.ts'

export const schemaCommand: Command = {
  help: `hookgate schema: the JSON Schema of hookgate's rules file

  hookgate schema [PATH…]
  hookgate schema decision

Prints the schema (draft 2020-12) of hooks.json: its events, its kinds of hooks, and the params of the policies and
packs that hookgate ships. With PATH, a policy or a folder of policies, it covers those too, so that an editor can
underline a misspelled param:

  hookgate schema .hookgate/policies > .hookgate/hooks.schema.json

  {"$schema": "./hooks.schema.json", "hooks": {…}}

The schema without your own policies comes with the package, as dist/hooks.schema.json. \`decision\` prints the schema of
a line of \`hookgate log --json\`, which comes as dist/decision.schema.json; a folder of that name is \`./decision\`.
`,
  async run({ argv, env, cwd }) {
    const { positionals } = parseFlags('schema', argv, {}, true)
    if (positionals.length === 1 && positionals[0] === 'decision') {
      const { decisionJsonSchema } = await import('../../record/read.ts')
      return printed(jsonText(decisionJsonSchema(), 2))
    }
    const places = placesFor({ explicit: positionals, env, cwd, home: homeFolder(env['HOME']) })
    return withPolicies(async (policies) => {
      const { named, errors } = await namedPolicies(places, policies)
      const [first, ...more] = errors
      if (first !== undefined) throw problemsError([first, ...more])
      return printed(jsonText(rulesJsonSchema(named, await describedPacks([], cwd, policies), presetNames()), 2))
    })
  },
}

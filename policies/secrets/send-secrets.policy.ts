import { ask, definePolicy, deny } from 'hookgate/policy'
import { identitiesOf, secretReads } from './reads.ts'
import { holdsSecrets } from './secret.ts'
import { addressedTo, goalsOf, isTrusted, sendsTo } from './sending.ts'
import { shownIn } from './shown.ts'
import { sendExamples } from './examples/send-secrets.ts'
import { logsIn, misdirectedKey, sendsAsData, sendsVariables, sentVariable } from './sent-variable.ts'
import { trustedHosts } from './params.ts'
import { carriedByPowershell } from './powershell-requests.ts'

export default definePolicy({
  id: 'send-secrets',
  description: 'Refuses to send keys, passwords, tokens and anything derived from them to another machine',
  severity: 'critical',
  terminalOnly: true,
  on: 'PreToolUse',
  tool: 'shell',
  carried: ['machine', 'recipe', 'ci', 'container', 'prompt'],
  interest: { words: ['history'], code: true, network: true },
  params: {
    trustedHosts,
    allowedFiles: {
      type: 'strings',
      default: [],
      description: 'files that may be sent, by the end of their path or a folder in it; `*` matches any part of a name',
    },
  },
  decide({ tool, shell, paths, impacts, params }) {
    const shownBy = shownIn(impacts)
    const hosts = new Map<number, string>()
    for (const [at, command] of shell.commands.entries()) {
      const host = sendsTo(command, params.trustedHosts) ?? addressedTo(shell, at, params.trustedHosts)
      if (host !== undefined) hosts.set(at, host)
    }
    const goalOf = goalsOf(shell, new Set(hosts.keys()))
    /** The command that sends a printed secret; none if it goes to the server that it came from, or only logs in. */
    const leakOf = (at: number, what: string) => {
      const leaks = [...hosts].filter(([goal, host]) => {
        const receiver = shell.commands[goal]
        return goal !== at && receiver !== undefined && !logsIn(what, receiver, host)
      })
      return goalsOf(shell, new Set(leaks.map(([goal]) => goal)))(at)
    }

    for (const { secret, command = 0 } of secretReads({ tool, shell, paths, impacts }, params.allowedFiles)) {
      const goal = goalOf(command)
      const host = hosts.get(goal ?? -1)
      if (host === undefined) continue
      if (secret.kind === 'likely' || !secret.sure) {
        return ask(`${secret.path} may be secret, and this sends it to ${host}: show the person what is in it first`, {
          at: goal,
        })
      }
      return deny(`${secret.path} is secret, and this sends it to ${host}: do not send any of it anywhere`, {
        at: goal,
      })
    }
    for (const [at, command] of shell.commands.entries()) {
      const isIdentity = identitiesOf(command)
      const whole = command.paths.find(
        (path) => path.access === 'read' && !isIdentity(path) && holdsSecrets(path) !== undefined,
      )
      const host = whole === undefined || whole.metadata === true ? undefined : hosts.get(goalOf(at) ?? -1)
      if (host !== undefined) {
        const list = command.args.some(({ value }) => /^(?:--files-from(?:=|$)|-T$)/.test(value))
        return deny(
          list
            ? `this sends ${host} the files below ${whole?.written} that a list names, where there are keys and passwords too: name the files themselves`
            : `there are keys or passwords below ${whole?.written}, and this sends everything to ${host}: send only the one file that is needed`,
          { at: goalOf(at) },
        )
      }
      const { variable, all, secret } = shownBy(at)
      if (variable !== undefined || all) {
        const what = variable ?? 'all variables'
        const goal = variable === undefined ? goalOf(at) : leakOf(at, variable)
        const there = hosts.get(goal ?? -1)
        if (there !== undefined)
          return deny(`this sends ${what} to ${there}: send nothing secret anywhere`, { at: goal })
      }
      const what = secret ?? (command.program === 'history' ? 'the history of a shell' : undefined)
      const goal = what === undefined ? undefined : leakOf(at, what)
      const there = hosts.get(goal ?? -1)
      if (there !== undefined && sendsAsData(shell, at))
        return deny(`this sends ${what} to ${there}: send nothing secret anywhere`, { at: goal })
      if (there !== undefined) return ask(`this passes ${what} to a program that sends it to ${there}`, { at })
    }
    for (const [at, command] of shell.commands.entries()) {
      if (command.code !== undefined && sendsVariables(command.code))
        return deny('this code sends all variables: do not send secrets anywhere', { at })
      const carried = carriedByPowershell(command)
      if (carried !== undefined && !isTrusted(carried.host, params.trustedHosts)) {
        const { asData, variable: name, host: there } = carried
        return asData
          ? deny(`this sends ${name} to ${there}, where it is not used to log in`, { at })
          : ask(`this sends ${name} to ${there}, which is not whose key it is: have the person agree to it`, { at })
      }
      const variable = sentVariable(command)
      const host = command.network?.host ?? 'an unknown host'
      if (variable !== undefined && !isTrusted(host, params.trustedHosts))
        return deny(`this sends ${variable} to ${host}, where it is not used to log in`, { at })
      const key = misdirectedKey(command)
      if (key !== undefined && !isTrusted(host, params.trustedHosts))
        return ask(`this sends ${key} to ${host}, which is not whose key it is: have the person agree to it`, { at })
    }
    return undefined
  },
  examples: sendExamples,
})

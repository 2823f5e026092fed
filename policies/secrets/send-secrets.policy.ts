import { ask, definePolicy, deny } from 'hookgate/policy'
import { printed, printsEnvironment, shownVariable } from './printers.ts'
import { identitiesOf, secretReads } from './reads.ts'
import { holdsSecrets } from './secret.ts'
import { addressedTo, goalsOf, isTrusted, sendsTo } from './sending.ts'
import { sendExamples } from './examples/send-secrets.ts'
import { sendsAsData, sendsVariables, sentVariable } from './sent-variable.ts'

export default definePolicy({
  id: 'send-secrets',
  description: 'Refuses to send keys, passwords, tokens and what is made of them to another machine',
  severity: 'critical',
  on: 'PreToolUse',
  tool: 'shell',
  params: {
    trustedHosts: {
      type: 'strings',
      default: [],
      description: 'hosts that may be sent anything; `*.example.com` is every host below it',
    },
    allowedFiles: {
      type: 'strings',
      default: [],
      description: 'files that may be sent, by the end of their path or a folder on it; `*` is any text of a name',
    },
  },
  decide({ tool, shell, paths, params }) {
    const hosts = new Map<number, string>()
    for (const [at, command] of shell.commands.entries()) {
      const host = sendsTo(command, params.trustedHosts) ?? addressedTo(shell, at, params.trustedHosts)
      if (host !== undefined) hosts.set(at, host)
    }
    const goalOf = goalsOf(shell, new Set(hosts.keys()))
    const from = (at: number) => hosts.get(goalOf(at) ?? -1)

    for (const { secret, command = 0 } of secretReads({ tool, shell, paths }, params.allowedFiles)) {
      const host = from(command)
      if (host === undefined) continue
      if (secret.kind === 'likely' || !secret.sure) {
        return ask(`${secret.path} may be secret, and this sends it to ${host}: show the person what is in it first`, {
          at: command,
        })
      }
      return deny(`${secret.path} is secret, and this sends it to ${host}: send nothing of it anywhere`, {
        at: command,
      })
    }
    for (const [at, command] of shell.commands.entries()) {
      const isIdentity = identitiesOf(command)
      const whole = command.paths.find(
        (path) => path.access === 'read' && !isIdentity(path) && holdsSecrets(path) !== undefined,
      )
      const host = whole === undefined || whole.metadata === true ? undefined : from(at)
      if (host !== undefined) {
        return deny(
          `there are keys or passwords below ${whole?.written}, and this sends it all to ${host}: send the one file`,
          { at },
        )
      }
      const variable = shownVariable(command)
      if (variable !== undefined || printsEnvironment(command)) {
        const there = from(at)
        const what = variable ?? 'every variable there is'
        if (there !== undefined) return deny(`this sends ${what} to ${there}: send nothing secret anywhere`, { at })
      }
      const what = printed(command) ?? (command.program === 'history' ? 'the history of a shell' : undefined)
      // What asks a server for a secret does not send it there.
      const isKept = hosts.has(at) && shell.commands.length === 1
      const there = what === undefined || isKept ? undefined : from(at)
      if (there !== undefined && sendsAsData(shell, at))
        return deny(`this sends ${what} to ${there}: send nothing secret anywhere`, { at })
      if (there !== undefined) return ask(`this hands ${what} to a program that sends it to ${there}`, { at })
    }
    for (const [at, command] of shell.commands.entries()) {
      if (command.code !== undefined && sendsVariables(command.code))
        return deny('this code sends every variable there is: send nothing secret anywhere', { at })
      const variable = sentVariable(command)
      const host = command.network?.host ?? 'a host that is not known'
      if (variable !== undefined && !isTrusted(host, params.trustedHosts))
        return deny(`this sends ${variable} to ${host}, where it does not log in with it`, { at })
    }
    return undefined
  },
  examples: sendExamples,
})

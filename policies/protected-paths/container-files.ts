import { setOf, type ShellFacts } from 'hookgate/policy'

const engines = setOf(['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose', 'kubectl', 'oc'])

/**
 * True if a command runs in a container that is not let out of it: its files are its own, but for those that it is given,
 * which are `bound`.
 */
export function isInOwnContainer({ commands }: ShellFacts, at: number): boolean {
  for (let one = commands[at]; one?.elsewhere === true;) {
    const starter = one.startedBy === undefined ? undefined : commands[one.startedBy]
    if (starter === undefined) return false
    if (engines.has(starter.program))
      return !starter.args.some(({ value }) =>
        /^--(?:privileged|pid|device|volumes-from|cap-add|userns)(?:=|$)/.test(value),
      )
    // Another root, another machine: what is below its `/etc` may be a system's.
    if (!/^(?:sh|bash|ash|dash|zsh|env|sudo|time|timeout|nohup|xargs)$/.test(starter.program)) return false
    one = starter
  }
  return false
}

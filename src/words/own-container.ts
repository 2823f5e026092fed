import type { ShellFacts } from '../model/shell.ts'

/** Programs that run others in a container. */
const engines = /^(?:(?:docker|podman)(?:-compose)?|nerdctl|kubectl|oc)$/
/** Programs that start others in the same container. Further programs may use another root or another machine. */
const staysThere = /^(?:sh|bash|ash|dash|zsh|env|sudo|time|timeout|nohup|xargs)$/
/** Options that give a container access to the machine outside of it. */
const letsOut = /^--(?:privileged|pid|device|volumes-from|cap-add|userns)(?:=|$)/

/**
 * Returns whether a command runs in a container without access to the machine outside of it: it has its own files and
 * processes, apart from mounted files, which are `bound`.
 */
export function isInOwnContainer({ commands }: Pick<ShellFacts, 'commands'>, at: number): boolean {
  for (let one = commands[at]; one?.elsewhere === true;) {
    const starter = one.startedBy === undefined ? undefined : commands[one.startedBy]
    if (starter === undefined) return false
    if (engines.test(starter.program)) return !starter.args.some(({ value }) => letsOut.test(value))
    if (!staysThere.test(starter.program)) return false
    one = starter
  }
  return false
}

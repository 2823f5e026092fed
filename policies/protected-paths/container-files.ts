import { setOf, type ShellFacts } from 'hookgate/policy'

const engines = setOf(['docker', 'podman', 'nerdctl', 'docker-compose', 'podman-compose', 'kubectl', 'oc'])

/** Folders of this machine that a container is given, by the mounts of a command line. */
function sourcesIn(words: readonly string[]): readonly string[] {
  return words.flatMap((word, at) => {
    const option = /^(?:-v|--volume|--mount)(?:=(.*))?$/.exec(word)
    if (option === null) return []
    const given = option[1] ?? words[at + 1] ?? ''
    return [/(?:source|src)=([^,]*)/.exec(given)?.[1] ?? given.split(':')[0] ?? '']
  })
}

/** True if a command runs in a container that was given no folder of this machine outside of the workspace: its files are its own. */
export function isInOwnContainer({ commands }: ShellFacts, at: number): boolean {
  for (let one = commands[at]; one?.elsewhere === true;) {
    const starter = one.startedBy === undefined ? undefined : commands[one.startedBy]
    if (starter === undefined) return false
    if (engines.has(starter.program)) {
      const words = starter.args.map(({ value }) => value)
      const isWide = words.some((word) => /^--(?:privileged|pid|device|volumes-from|cap-add|userns)(?:=|$)/.test(word))
      return !isWide && sourcesIn(words).every((source) => /^(?:\.{1,2}(?:\/|$)|[\w.-]+$)/.test(source))
    }
    // Another root, another machine: what is below its `/etc` may be a system's.
    if (!/^(?:sh|bash|ash|dash|zsh|env|sudo|time|timeout|nohup|xargs)$/.test(starter.program)) return false
    one = starter
  }
  return false
}

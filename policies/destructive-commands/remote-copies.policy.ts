import {
  abstains,
  ask,
  asks,
  definePolicy,
  denies,
  deny,
  lineOf,
  type PolicyAnswer,
  type ShellCommand,
} from 'hookgate/policy'

/** A machine and a path on it: `me@host:/etc`, `rsync://host/x`. */
const remotePath = (word: string) =>
  /^[^/:\\]{2,}::?(.*)$/s.exec(word)?.[1] ?? /^(?:scp|rsync|sftp|ssh):\/\/[^/]+(\/.*)?$/s.exec(word)?.[1]

const ofTheSystem = /^\/(?:$|(?:etc|usr|bin|sbin|boot|lib|lib64|var|dev|proc|sys|root|opt)(?:\/|$))/

function copyOf(command: ShellCommand): { to: string; deletes: boolean } | undefined {
  const { program } = command
  const read = program === 'rsync' || program === 'scp' ? lineOf(command) : undefined
  if (read === undefined || read.surely('n', 'dry-run', 'help', 'version')) return undefined
  const to = read.operands.length > 1 ? remotePath(read.operands.at(-1)?.value ?? '') : undefined
  const deletes = read.given.some(
    ({ name }) => name === 'del' || (name.startsWith('delete') && name !== 'delete-missing-args'),
  )
  return to === undefined ? undefined : { to, deletes: program === 'rsync' && deletes }
}

export default definePolicy({
  id: 'remote-copies',
  severity: 'high',
  description: "Refuses to copy over another machine's system; asks if a copy would delete files there",
  on: 'PreToolUse',
  tool: 'shell',
  interest: { words: ['rsync scp'] },
  decide({ shell }) {
    let question: PolicyAnswer | undefined
    for (const [at, command] of shell.commands.entries()) {
      const copy = copyOf(command)
      if (copy === undefined) continue
      if (command.program === 'scp' && ofTheSystem.test(copy.to) && !copy.to.startsWith('/var/tmp')) {
        return deny(
          `scp would write to ${copy.to}, which belongs to another machine's system: copy to a home directory there`,
          { at },
        )
      }
      if (copy.deletes) {
        question ??= ask(
          'rsync would delete everything on another machine that is not here: try it with --dry-run first',
          {
            at,
          },
        )
      } else if (ofTheSystem.test(copy.to)) {
        question ??= ask(
          `${command.program} would write to ${copy.to} on another machine: copy to a home directory there`,
          { at },
        )
      }
    }
    return question
  },
  examples: [
    denies('over a system', 'scp a.conf root@host:/etc/a.conf'),
    abstains('from a system', 'scp root@host:/etc/a.conf .'),
    asks('deleting there', 'rsync -a --delete src/ host:srv/'),
    abstains('a try', 'rsync -an --delete src/ host:srv/'),
    asks('a mirror over a system', 'rsync -a src/ host:/usr/'),
    abstains('a copy', 'rsync -a src/ host:src/'),
  ],
})

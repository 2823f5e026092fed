import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { limits } from '../../model/limits.ts'

/**
 * Reads `+<pid>` and `-<pid>`, one a line, until its stdin is closed, which the death of the process that holds it does
 * too. Then it kills the groups that are left.
 */
const script = `
live=' '
while read -r change; do
  pid=\${change#?}
  case $change in
    +*) live="$live$pid " ;;
    -*) live="\${live%% $pid *} \${live#* $pid }" ;;
  esac
done
for pid in $live; do kill -s KILL -- "-$pid"; done
`

/**
 * Ends the hooks of a process that is killed and can do nothing more itself. It is a shell of a megabyte, started when
 * the first hook has run for `limits.reaperAfterMs`, so the many that are quicker cost nothing.
 */
export class Reaper {
  #shell: ChildProcess | undefined

  /** @returns what is to be called when the hook and its group are gone */
  watch(pidOf: () => number | undefined): () => void {
    let told: number | undefined
    const timer = setTimeout(() => {
      told = pidOf()
      if (told !== undefined) this.#tell(`+${told}`)
    }, limits.reaperAfterMs)
    timer.unref()
    return () => {
      clearTimeout(timer)
      if (told !== undefined) this.#tell(`-${told}`)
    }
  }

  close(): void {
    this.#shell?.stdin?.end()
    this.#shell = undefined
  }

  #tell(change: string): void {
    // Windows has neither groups nor this shell.
    if (process.platform === 'win32') return
    this.#shell ??= this.#start()
    this.#shell.stdin?.write(`${change}\n`)
  }

  /** In a session of its own, so that a Ctrl-C at the terminal does not end it together with us. */
  #start(): ChildProcess {
    const shell = spawn('/bin/sh', ['-c', script, 'hookgate-reaper'], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      cwd: '/',
    })
    const lost = () => {
      if (this.#shell === shell) this.#shell = undefined
    }
    shell.on('error', lost)
    shell.on('exit', lost)
    shell.stdin.on('error', lost)
    shell.unref()
    if (shell.stdin instanceof Socket) shell.stdin.unref()
    return shell
  }
}

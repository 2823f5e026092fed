import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { writePrivate } from '../../files/private-folder.ts'
import { pageStateName } from '../../files/state/places.ts'
import { version } from '../../files/program-files.ts'
import { HookgateError } from '../../model/errors.ts'
import { limits } from '../../model/limits.ts'
import { type Command, printed } from '../command.ts'
import { numberOf, parseFlags, installContextFor } from '../args/flags.ts'
import { ownPlaces } from '../args/own-places.ts'

export const uiCommand: Command = {
  help: `hookgate ui: look at decisions and rules in a browser, and change what is on

  hookgate ui [--port N]

Serves a page at 127.0.0.1 until Ctrl-C: decisions as they come, why each was made, how many there were, the rules in
force, your agents, and what other rules would have decided. What can be changed there is shown as a change of a file
first, can be undone, and is what a command of hookgate does, which the page names.

It prints a link that opens the page once, within ${limits.pageLinkMs / 1000} seconds; press Enter for another. Only a browser that has opened
a link is answered. It needs a terminal, since only a person may change what is checked; and it starts no browser by
itself, since other programs could read the link from that program's arguments.

  --port N        the port; default: any that is free. Over SSH, forward it: ssh -L N:127.0.0.1:N HOST

  hookgate ui
`,
  async run(invocation) {
    const { values } = parseFlags('ui', invocation.argv, flags)
    const port = numberOf('ui', 'port', values.port, 65_535) ?? 0
    const { env, cwd } = invocation
    if (invocation.ask === undefined) throw noTerminal()
    // Loaded late, with the HTTP server: help and mistakes do not need it.
    const { servePage } = await import('../../ui/serve.ts')
    const places = ownPlaces(env)
    const installingIn = (project: string) => installContextFor({ env, cwd: project })
    const page = await servePage({ port, places, version: version(), cwd, env, installingIn })
    const offer = () => invocation.writeOut(`\n  ${page.link()}\n\n`)
    invocation.writeOut(
      `The page is served at 127.0.0.1:${page.port}. This link opens it once, within ${limits.pageLinkMs / 1000} seconds; press Enter for another, Ctrl-C to stop.\n`,
    )
    offer()
    const state = join(places.folder, pageStateName)
    // Without a state folder, no agent is enabled that self-protection keeps from the page.
    if (existsSync(places.folder)) writePrivate(state, JSON.stringify({ port: page.port }))
    await waitUntilStopped(offer)
    rmSync(state, { force: true })
    await page.close()
    return printed('')
  },
}

const flags = { port: { type: 'string' } } as const

const noTerminal = () =>
  new HookgateError('usage', 'it needs a terminal, since only a person may look at or change this', {
    remedy: 'run `hookgate ui` in a terminal; programs can use `hookgate log --json` and the other commands',
  })

/** Waits for Ctrl-C or the end of the terminal. @param onEnter called for each line */
function waitUntilStopped(onEnter: () => void): Promise<void> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: process.stdin })
    const stop = () => {
      lines.close()
      resolve()
    }
    lines.on('line', onEnter).once('close', stop)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
  })
}

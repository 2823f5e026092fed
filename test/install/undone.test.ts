import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { InstallContext } from '../../src/install/install-context.ts'
import { disable, enable } from '../../src/install/index.ts'
import { limits } from '../../src/model/limits.ts'
import { placesOf } from '../../src/files/state/places.ts'
import { commentedSettingsText, edited, settingsText, userEdit } from '../support/settings-texts.ts'
import { canMount, smallDisk } from '../support/small-disk.ts'
import { folderWith } from '../support/workspace.ts'

function contextIn(folder: string, cwd = join(folder, 'project')): InstallContext {
  const home = join(folder, 'home')
  const env = { HOOKGATE_HOME: join(folder, 'state'), PATH: '' }
  mkdirSync(cwd, { recursive: true })
  return {
    scope: 'project',
    env,
    cwd,
    home,
    platform: process.platform,
    places: placesOf({ env, platform: process.platform, uid: process.getuid?.(), home }),
    launcher: { node: process.execPath, bin: '/bin.js' },
    via: undefined,
    port: undefined,
    dryRun: false,
  }
}

describe('enable and disable, one after the other', () => {
  it('leave every file as it was, to the byte and the mode, however often', async () => {
    const context = contextIn(folderWith())
    const file = join(context.cwd, '.claude', 'settings.json')
    await fc.assert(
      fc.asyncProperty(
        settingsText,
        fc.constantFrom('', '\ufeff'),
        fc.constantFrom(0o600, 0o644, 0o755),
        fc.integer({ min: 1, max: 3 }),
        async (text, mark, mode, times) => {
          const bytes = Buffer.from(mark + text)
          mkdirSync(dirname(file), { recursive: true })
          writeFileSync(file, bytes)
          chmodSync(file, mode)
          for (let at = 0; at < times; at++) {
            // oxlint-disable-next-line no-await-in-loop -- one file
            await enable('claude-code', context)
          }
          expect(readFileSync(file).equals(bytes)).toBe(false)
          await disable('claude-code', context)
          expect(readFileSync(file).equals(bytes)).toBe(true)
          expect(statSync(file).mode & 0o777).toBe(mode)
        },
      ),
      { numRuns: 30 },
    )
  })

  it.each([
    ['gemini-cli', '.gemini'],
    ['qwen-code', '.qwen'],
  ] as const)(
    'leave what a person has changed meanwhile in a file with comments, to the byte: %s',
    async (agent, name) => {
      const context = contextIn(folderWith())
      const file = join(context.cwd, name, 'settings.json')
      mkdirSync(dirname(file))
      const property = fc.asyncProperty(
        commentedSettingsText,
        fc.constantFrom('', '\ufeff'),
        fc.array(userEdit, { maxLength: 3 }),
        async (text, mark, edits) => {
          writeFileSync(file, mark + text)
          await enable(agent, context)
          writeFileSync(file, edited(readFileSync(file, 'utf8'), edits))
          await enable(agent, context)
          await disable(agent, context)
          expect(readFileSync(file, 'utf8')).toBe(mark + edited(text, edits))
        },
      )
      await fc.assert(property, { numRuns: 15 })
    },
  )

  it('refuse a file that its agent could not read, name the place, and leave it as it is', async () => {
    const context = contextIn(folderWith())
    const file = join(context.cwd, '.gemini', 'settings.json')
    mkdirSync(dirname(file))
    const wrong: readonly (readonly [string, number, number])[] = [
      ['{ // x\n  "a": 1, // y\n}', 3, 1],
      ['{\r\n\t"b": [/* x */ 1, /* y */ ]\r\n}', 2, 27],
      ['{"a": 1 /* x */, "b": 2, // y\n"a": 3}', 2, 1],
      ['/* only this */ ', 1, 1],
      ['{"hooks": /* x */ []}', 1, 19],
    ]
    await enable('gemini-cli', context)
    const enabled = readFileSync(file, 'utf8')
    for (const [text, line, column] of wrong) {
      const isOwn = text.includes('hooks')
      const place = { file, line, column }
      writeFileSync(file, text)
      // oxlint-disable-next-line no-await-in-loop -- one file
      await expect(enable('gemini-cli', context)).rejects.toMatchObject({ code: 'settingsMalformed', place })
      expect(readFileSync(file, 'utf8')).toBe(text)
      if (isOwn) continue
      writeFileSync(file, `${enabled.slice(0, -2)},${text.replace(/^[^{]*{/, '')}`)
      const broken = readFileSync(file, 'utf8')
      // oxlint-disable-next-line no-await-in-loop -- one file
      await expect(disable('gemini-cli', context)).rejects.toMatchObject({ code: 'settingsMalformed' })
      expect(readFileSync(file, 'utf8')).toBe(broken)
    }
  })

  const recordsOf = ({ places }: InstallContext) =>
    readdirSync(join(places.folder, 'enabled')).map((name) => join(places.folder, 'enabled', name))
  /** A settings file of a size, every character of which is escaped in the record. */
  const largeSettings = (bytes: number) => `{"hooks":{ },"a":"${String.raw`\"`.repeat(bytes / 2)}"}`

  it('leave a file of some megabytes as it was, whose record is twice as large', async () => {
    const context = contextIn(folderWith())
    const file = join(context.cwd, '.claude', 'settings.json')
    // The hooks have to fit into the largest file, too.
    const text = largeSettings(limits.settingsBytesMax - 100_000)
    mkdirSync(dirname(file))
    writeFileSync(file, text, { mode: 0o600 })
    chmodSync(file, 0o604)
    await enable('claude-code', context)
    expect(recordsOf(context).map((record) => statSync(record).size > 2 * (text.length - 100))).toEqual([true])
    await disable('claude-code', context)
    expect(readFileSync(file, 'utf8') === text).toBe(true)
  })

  it('leave no hook in a file whose record is larger than any that is read', async () => {
    const context = contextIn(folderWith())
    const file = join(context.cwd, '.claude', 'settings.json')
    await enable('claude-code', context)
    for (const record of recordsOf(context)) appendFileSync(record, ' '.repeat(limits.enableRecordBytesMax))
    await disable('claude-code', context)
    expect(readFileSync(file, 'utf8')).toBe('{}\n')
  })

  it('leave no hook in a new file, even if its record was lost', async () => {
    const context = contextIn(folderWith())
    await enable('claude-code', context)
    rmSync(context.places.folder, { recursive: true })
    await disable('claude-code', context)
    expect(readFileSync(join(context.cwd, '.claude', 'settings.json'), 'utf8')).toBe('{}\n')
  })
})

describe('two agents that keep their hooks in one file', () => {
  const agents = ['claude-code', 'vscode'] as const
  const orders = [agents, agents.toReversed()]
  const cases = orders.flatMap((enabled) => orders.map((disabled) => ({ enabled, disabled })))

  it.each(cases)(
    'enabled as $enabled and disabled as $disabled, restore it to the byte',
    async ({ enabled, disabled }) => {
      const context: InstallContext = { ...contextIn(folderWith({ 'home/x': '' })), scope: 'user', via: 'command' }
      const file = join(context.home, '.claude', 'settings.json')
      await fc.assert(
        fc.asyncProperty(fc.option(settingsText), async (text) => {
          rmSync(dirname(file), { recursive: true, force: true })
          if (text !== null) {
            mkdirSync(dirname(file))
            writeFileSync(file, text)
          }
          // oxlint-disable no-await-in-loop -- one file
          for (const agent of enabled) await enable(agent, context)
          for (const agent of disabled) await disable(agent, context)
          // oxlint-enable no-await-in-loop
          expect(existsSync(file) ? readFileSync(file, 'utf8') : null).toBe(text)
          expect(existsSync(dirname(file))).toBe(text !== null)
        }),
        { numRuns: 6 },
      )
    },
  )
})

describe('a full disk', () => {
  it.runIf(canMount)('makes all of the change fail, never a part (as root)', async () => {
    const disk = smallDisk()
    const context = contextIn(folderWith(), join(disk, 'project'))
    const fill = join(disk, 'fill')
    writeFileSync(fill, Buffer.alloc(256 * 1024 - 8 * 4096))
    await expect(enable('cline', context)).rejects.toThrow(/ENOSPC/)
    expect(existsSync(join(context.cwd, '.clinerules'))).toBe(false)
    rmSync(fill)
    await enable('cline', context)
    expect(existsSync(join(context.cwd, '.clinerules', 'hooks', 'Notification'))).toBe(true)
  })
})

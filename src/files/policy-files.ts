import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isBelow } from '../words/machine-paths.ts'
import { entryNames } from './entries.ts'
import { HookgateError } from '../model/errors.ts'
import { quoted } from '../model/text.ts'
import type { PolicyFile } from '../model/policy-loading.ts'
import { packageFolder, programFolder } from './program-files.ts'

/** The folder of the policies and packs that hookgate ships, a sibling of `src` and `dist`. */
export const shippedFolder = join(packageFolder, 'policies')

/** Says that hookgate itself was moved or removed while this process runs; `undefined` while it is there. */
export function goneProgram(): HookgateError | undefined {
  if (existsSync(shippedFolder)) return undefined
  const message = `hookgate itself is no longer at ${quoted(packageFolder)}, where this gate was started from`
  return new HookgateError('unavailable', message, {
    remedy: 'install it again, then run `hookgate enable` for each agent',
  })
}

/** Build outputs: the compiled library, and the folder of the compiled shipped policies. Neither exists in `src`. */
export const builtLibraryFile = join(programFolder, 'policy-library.json')
export const storedPoliciesFolder = join(programFolder, 'shipped-policies')
/** The folder of the shipped policies compiled with marks, by which `hookgate why` finds the line of an answer. */
export const markedPoliciesFolder = join(programFolder, 'marked-policies')
/** Build output, in a checkout too: the calls that the examples of shipped policies refuse or ask about. */
export const dangerExamplesFile = join(packageFolder, 'dist', 'danger-examples.json')

/** Shipped policies are not proven on the user's machine: hookgate's own tests run their examples. */
export const isShipped = (file: string) => isBelow(file, shippedFolder)

/** Only files with such a name are discovered as policies in a folder. */
export const isPolicyName = (name: string) => /.\.policy\.m?[jt]s$/.test(name)

/** A policy that its author still works on: it is tested and explained, and neither decides nor stops anything. */
export const isDraftName = (name: string) => /.\.draft\.policy\.m?[jt]s$/.test(name)

/** A policy that a rules file names explicitly may have any name that can be compiled. */
export const isModuleName = (name: string) => /\.m?[jt]s$/.test(name)

/** @param name the name in rules files, without the prefix `hookgate/` */
export function shippedPolicy(name: string): PolicyFile {
  const folder = join(shippedFolder, name)
  return { file: join(folder, `${name}.policy.ts`), folder }
}

/** Lists the names of the shipped policies that are not part of a pack. */
export const shippedPolicies = () => shippedNames((name) => shippedPolicy(name).file)

/** The file that makes a folder of policies a pack. */
export const packFile = 'pack.json'

export const shippedPacks = () => shippedNames((name) => join(shippedFolder, name, packFile))

/** The folder of the presets, a JSON file for each. */
export const presetsFolder = join(shippedFolder, 'presets')

/** Lists the names of the presets. */
export const presetNames = (): readonly string[] =>
  entryNames(presetsFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => basename(name, '.json'))

const shippedNames = (markOf: (name: string) => string): readonly string[] =>
  entryNames(shippedFolder).filter((name) => existsSync(markOf(name)))

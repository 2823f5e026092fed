import { getNodeValue } from 'jsonc-parser'
import { z } from 'zod'
import { isLaunch } from '../../model/own-hook.ts'
import { type JsonDocument, valueAt } from '../json/document.ts'
import { OwnHandler } from './own-handler.ts'

const Group = z.looseObject({ hooks: z.array(z.unknown()) })
const Command = z.looseObject({ type: z.literal('command'), command: z.string(), args: z.array(z.string()).optional() })

/** A hook with which a person has hookgate context, without `enable`. */
export interface HandHandler {
  readonly type: 'command'
  readonly command: string
  readonly args?: readonly string[]
}

/** Those of a person's own hooks that ask hookgate, each with its event. */
export function handlersByHand({ root }: JsonDocument): ReadonlyMap<string, readonly HandHandler[]> {
  const hooks: unknown = getNodeValue(valueAt(root, 'hooks') ?? root)
  const found = Object.entries(z.record(z.string(), z.unknown()).safeParse(hooks).data ?? {}).map(
    ([event, groups]) =>
      [
        event,
        (Array.isArray(groups) ? groups : [])
          .flatMap((group) => Group.safeParse(group).data?.hooks ?? [])
          .flatMap((handler) => handHandler(handler) ?? []),
      ] as const,
  )
  return new Map(found.filter(([, handlers]) => handlers.length > 0))
}

/** Whether a hook of a person's own does nothing but ask hookgate, so that it can give way to what `enable` writes. */
export function isHandLaunch(handler: unknown): boolean {
  const hand = handHandler(handler)
  return hand !== undefined && isLaunch(lineOf(hand))
}

function handHandler(handler: unknown): HandHandler | undefined {
  if (OwnHandler.safeParse(handler).success) return undefined
  const { data } = Command.safeParse(handler)
  if (data === undefined) return undefined
  const hand = { type: data.type, command: data.command, ...(data.args !== undefined && { args: data.args }) }
  return /\bhookgate(?:\.cmd)?["']?\s+run\b/.test(lineOf(hand)) ? hand : undefined
}

export const lineOf = ({ command, args = [] }: HandHandler) => [command, ...args].join(' ')

import { heldCode, hookSwitches, pinAdvice } from '../agents/install/hook-switches.ts'
import { descriptorOf } from '../agents/registry.ts'
import type { AgentName } from '../model/event.ts'
import { type InstallContext, siteOf } from './install-context.ts'

/** Returns what keeps an agent from asking hookgate in the context's folder, or overrules it, each with its remedy. */
export function switchesOf(agent: AgentName, context: InstallContext): readonly string[] {
  const descriptor = descriptorOf(agent)
  return descriptor === undefined ? [] : hookSwitches(descriptor, siteOf(context))
}

/** Returns what could overrule hookgate in an agent if an administrator's file did not hold it. */
export function heldCodeOf(agent: AgentName, context: InstallContext): readonly string[] {
  const descriptor = descriptorOf(agent)
  return descriptor === undefined ? [] : heldCode(descriptor, siteOf(context))
}

/** Returns what `enable` says about such settings, and how an administrator keeps a project from having them. */
export function switchNotes(agent: AgentName, context: InstallContext): readonly string[] {
  const descriptor = descriptorOf(agent)
  const advice = descriptor === undefined ? undefined : pinAdvice(descriptor, siteOf(context))
  return [...switchesOf(agent, context).map((why) => `warning: ${why}`), ...(advice === undefined ? [] : [advice])]
}

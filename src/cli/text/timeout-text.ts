import { timeoutOf } from '../../hooks/hook-process.ts'
import { limits } from '../../model/limits.ts'
import type { CommandRule } from '../../model/rule.ts'

/**
 * Says how long a hook may take, and who says so.
 *
 * @param defaultMs timeout of hooks for which neither they nor their agent names one
 */
export function timeoutText(rule: CommandRule, defaultMs: number): string {
  const timeout = `timeout ${timeoutOf(rule, defaultMs) / 1000} s`
  if (rule.timeoutMs === undefined)
    return `${timeout}, ${defaultMs === limits.hookTimeoutMs || rule.handler.async ? 'hookgate’s default' : 'of `--timeout`'}`
  return rule.timeoutMs === rule.hostTimeoutMs ? `${timeout}, Claude Code’s default` : `${timeout}, its own`
}

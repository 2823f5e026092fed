import { abstains, context, definePolicy, notice } from 'hookgate/policy'

export default definePolicy({
  id: 'slow-operation-notice',
  description: 'Tells the model and the person about tool calls that took long',
  on: ['PostToolUse', 'PostToolUseFailure'],
  params: {
    thresholdMs: { type: 'number', default: 5000, minimum: 0, description: 'calls that take longer are reported' },
  },
  // The policy only advises, and the action is already done when it runs.
  onFailure: 'continue',
  decide({ event, tool, params }) {
    const durationMs = event.result?.durationMs
    if (durationMs === undefined || durationMs <= params.thresholdMs) return undefined
    const took = `${tool.name} took ${Math.round(durationMs)}ms`
    return [context(`PERFORMANCE: Slow operation detected - ${took}`), notice(`slow operation: ${took}`)]
  },
  examples: [
    {
      name: 'a slow command is reported to the model',
      given: { tool: 'shell', result: { durationMs: 5001 } },
      want: { context: 'PERFORMANCE: Slow operation detected - shell took 5001ms' },
    },
    {
      name: 'and to the person',
      given: { tool: 'shell', result: { durationMs: 5001 } },
      want: { notice: 'slow operation: shell took 5001ms' },
    },
    {
      name: 'a slow command that failed',
      given: { event: 'PostToolUseFailure', tool: 'shell', result: { durationMs: 60_000.4 } },
      want: { context: 'shell took 60000ms' },
    },
    abstains('as long as is allowed', { tool: 'shell', result: { durationMs: 5000 } }),
    abstains('without a duration', { tool: 'shell', result: {} }),
    abstains('without a duration, and with every duration reported', {
      tool: 'shell',
      result: {},
      params: { thresholdMs: 0 },
    }),
    abstains('without a result', { tool: 'shell' }),
    {
      name: 'longer than a threshold of their own',
      given: { tool: 'read', result: { durationMs: 101 }, params: { thresholdMs: 100 } },
      want: { context: 'read took 101ms' },
    },
    abstains('shorter than a threshold of their own', {
      tool: 'read',
      result: { durationMs: 9000 },
      params: { thresholdMs: 9001 },
    }),
  ],
})

type Value = string | number | boolean | readonly string[]

/** Writes a value as a collector does: whole numbers as text. */
function otlpValue(value: Value): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(otlpValue) } }
  if (typeof value === 'number') return { intValue: String(value) }
  return typeof value === 'string' ? { stringValue: value } : { boolValue: value }
}

const otlpAttributes = (all: Readonly<Record<string, Value | undefined>>) =>
  Object.entries(all).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: otlpValue(value) }]))

/** Returns a heartbeat as a request of one machine, in the form in which the file exporter of a collector keeps it. */
export function heartbeatLine(
  host: string,
  atMs: number,
  some: Readonly<Record<string, Value | undefined>> = {},
  record: object = { eventName: 'hookgate.heartbeat' },
): string {
  const machine = {
    'service.name': 'hookgate',
    'service.version': '0.1.0',
    'service.instance.id': `instance of ${host}`,
    'host.name': host,
    device: `device of ${host}`,
  }
  const own = {
    'hookgate.heartbeat.interval': 300,
    'process.runtime.version': 'v24.15.0',
    'hookgate.rules.count': 9,
    'hookgate.rules.digest': 'd1',
    'hookgate.self_protection': true,
    'hookgate.agents.proved': ['claude-code', 'codex'],
  }
  const ofMachine = Object.entries(some).filter(([key]) => !key.startsWith('hookgate.') && !key.startsWith('process.'))
  const others = Object.entries(some).filter(([key]) => !ofMachine.some(([name]) => name === key))
  const log = {
    timeUnixNano: `${Math.round(atMs)}000000`,
    severityText: 'INFO',
    body: { stringValue: 'asks hookgate: claude-code' },
    ...record,
    attributes: otlpAttributes({ ...own, ...Object.fromEntries(others) }),
  }
  return `${JSON.stringify({
    resourceLogs: [
      {
        resource: { attributes: otlpAttributes({ ...machine, ...Object.fromEntries(ofMachine) }) },
        scopeLogs: [{ scope: { name: 'hookgate' }, logRecords: [log] }],
      },
    ],
  })}\n`
}

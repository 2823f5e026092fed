export type { ClientCall } from './client.ts'
export type { Client, ClientKind } from './client.ts'
export { chooseClient } from './choose-client.ts'
export { hookScript, installationMark, gateStartEveryVariable } from './hook-script.ts'

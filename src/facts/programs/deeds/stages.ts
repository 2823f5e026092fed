import type { Deeds } from './deeds.ts'

const area = 'stages'
export const platformStage: Deeds = { area, stage: { named: 'words' } }
export const pushedStage: Deeds = { area, stage: { named: 'words', takesPushes: true } }
export const namesStage: Deeds = { area, stage: { named: 'options' } }
export const taskStage: Deeds = { area, stage: { named: 'task' } }
export const codeStage: Deeds = { area, stage: { named: 'code' } }
export const machineStage: Deeds = { area, stage: { named: 'machine' } }
export const endStage: Deeds = { area, stage: { named: 'machine', verb: 'stop' } }

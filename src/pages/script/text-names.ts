/** The texts that `src/pages/render.ts` passes to the script, in this order: as JSON they would take half as much again. */
export const textNames = [
  'cancel',
  'close',
  'failed',
  'again',
  'show',
  'copied',
  'offline',
  /** `as of {time}` */
  'asOf',
  /** `{n} waiting to be sent` */
  'waiting',
  /** Of one press. */
  'waits',
  /** `{n} sent` */
  'sentSome',
  'needsOne',
  /** `{n} need your attention` */
  'needsSome',
  'signIn',
  'undo',
  'full',
  'online',
  'elsewhere',
  'addComment',
  'discard',
  'copy',
  /** `Draft of {time}` */
  'draft',
  'saved',
  'leaving',
  'sendNow',
  'keepUntil',
  'throwAway',
] as const

export type TextName = (typeof textNames)[number]

/** What a form about a record or a viewing shows, or what was typed; `problem` is what was wrong with it. */
export interface OpinionTexts {
  readonly comment: string
  readonly rating_state: string
  readonly watched_at: string
  /** '' leaves the time as it is. */
  readonly precision: string
  readonly return_to: string
  readonly problem?: string
}

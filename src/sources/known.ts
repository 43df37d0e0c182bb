export interface KnownWork {
  readonly id: number
  readonly title: string
  readonly media: string
  readonly seasonYear: number | null
  /** By namespace. */
  readonly ids: ReadonlyMap<string, readonly string[]>
}

/** What an adapter may ask of the catalogue. Keys are such as a line can refer to, `ns:id`. */
export interface Known {
  /**
   * The work with this key, else the only one with this id at a site, as a line refers to it. Undefined where several
   * have the id, hidden ones too, or where it is not shown.
   */
  work(namespace: string, id: string): KnownWork | undefined
  /** The only work with this id at a site, as the importer finds the row of a line by its ids. */
  onlyWork(namespace: string, id: string): KnownWork | undefined
  workIds(namespace: string): Iterable<string>
  /** Ids in a namespace of works that have no end yet and a status of any user. */
  openWorkIds(namespace: string): Iterable<string>
  /** Seasons, such as `2026-autumn` and `2026-all`, of works with a status of any user. */
  watchedSeasons(): Iterable<string>
  /** Whether casts or staffs of the work belong to a source of a higher priority than `source`. */
  hasBetterCredits(namespace: string, id: string, source: string): boolean
  /** The key of the only person of exactly this folded name. */
  person(name: string): string | undefined
  organization(name: string): string | undefined
  /** The key of the only character of this folded name in the casts of a work. */
  character(namespace: string, workId: string, name: string): string | undefined
}

export interface CatalogueWork {
  readonly id: number
  readonly title: string
  readonly media: string
  readonly seasonYear: number | null
  /** By namespace. */
  readonly ids: ReadonlyMap<string, readonly string[]>
}

/** What an adapter may look up in the catalogue. Keys have the form that lines refer to, `ns:id`. */
export interface Known {
  /**
   * The work with this key, else the only one with this id at a site, as a line would refer to it. Undefined if
   * several have the id, even hidden ones, or if the work is hidden.
   */
  work(namespace: string, id: string): CatalogueWork | undefined
  /** The only work with this id at a site, as the importer would find a line's work by its ids. */
  onlyWork(namespace: string, id: string): CatalogueWork | undefined
  workIds(namespace: string): Iterable<string>
  /** Ids in a namespace of works with episodes, no end of broadcast yet and a status of any user. */
  openWorkIds(namespace: string): Iterable<string>
  /** Seasons, such as `2026-autumn` and `2026-all`, of works with a status of any user. */
  watchedSeasons(): Iterable<string>
  /** Whether cast or staff of the work belong to a source with a higher priority than `source`. */
  hasBetterCredits(namespace: string, id: string, source: string): boolean
  /** The key of the only person with exactly this folded name. */
  person(name: string): string | undefined
  organization(name: string): string | undefined
  /** The key of the only character with this folded name in the work's cast. */
  character(namespace: string, workId: string, name: string): string | undefined
}

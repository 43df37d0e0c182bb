const createdAt = 'CREATED_AT'
const sorted = [createdAt, 'SORT_NUMBER']
const liked = [createdAt, 'LIKES_COUNT']

/** By name; the `…OrderField` enums name what each list can be sorted by. */
export const enums: Readonly<Record<string, readonly string[]>> = {
  ActivityAction: ['CREATE'],
  Media: ['MOVIE', 'OTHER', 'OVA', 'TV', 'WEB'],
  OrderDirection: ['ASC', 'DESC'],
  ProgramState: ['HIDDEN', 'PUBLISHED'],
  RatingState: ['AVERAGE', 'BAD', 'GOOD', 'GREAT'],
  SeasonName: ['AUTUMN', 'SPRING', 'SUMMER', 'WINTER'],
  StatusState: ['NO_STATE', 'ON_HOLD', 'STOP_WATCHING', 'WANNA_WATCH', 'WATCHED', 'WATCHING'],
  ActivityOrderField: [createdAt],
  CastOrderField: sorted,
  CharacterOrderField: [createdAt, 'FAVORITE_CHARACTERS_COUNT'],
  EpisodeOrderField: sorted,
  LibraryEntryOrderField: ['LAST_TRACKED_AT'],
  OrganizationOrderField: [createdAt, 'FAVORITE_ORGANIZATIONS_COUNT'],
  PersonOrderField: [createdAt, 'FAVORITE_PEOPLE_COUNT'],
  ProgramOrderField: ['STARTED_AT'],
  RecordOrderField: liked,
  ReviewOrderField: liked,
  SeriesWorkOrderField: ['SEASON'],
  StaffOrderField: sorted,
  WorkOrderField: [createdAt, 'SEASON', 'WATCHERS_COUNT'],
}

export const unions: Readonly<Record<string, readonly string[]>> = {
  ActivityItem: ['MultipleRecord', 'Record', 'Review', 'Status'],
  StaffResourceItem: ['Organization', 'Person'],
}

import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type RequestContext } from '#kernel/context/request-context';
import { ACCESS, Access } from '#infra/http/access';
import { Describe } from '#infra/http/describe';
import { Ctx } from '#infra/http/request/context';
import { ApiResult } from '#infra/http/response/api-responses';
import { Heavy } from '#infra/rate-limit/heavy';
import { SEARCH_DOCS } from './search.docs';
import { SearchQuery, SearchResponse, toSearchResponse } from './search.dto';
import { SearchService } from './search.service';

@ApiTags('Search')
@Describe(SEARCH_DOCS)
@Controller('search')
export class SearchController {
  constructor(private readonly service: SearchService) {}

  @Get()
  @Access(ACCESS.developer('projects:read', { organization: 'member' }))
  @Heavy()
  @ApiResult('Search projects, builds, channels and testers', SearchResponse)
  async search(@Ctx() ctx: RequestContext, @Query() query: SearchQuery): Promise<SearchResponse> {
    return toSearchResponse(await this.service.search(ctx, query.organization_id, query.q ?? ''));
  }
}

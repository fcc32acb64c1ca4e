import { Transform } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, IsUrl, Max, Min, MinLength } from 'class-validator';
import { Variable } from './variable';

/** Who may scrape metrics, and where. With neither variable there are none. */
export class MetricsConfig {
  @Variable('METRICS_PORT', {
    describe: 'Port of its own for GET /metrics (Prometheus), in every role. Keep it inside. Default: none.',
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(65535)
  port?: number;

  @Variable('METRICS_TOKEN', {
    secret: true,
    describe: 'Bearer token, 16 characters or more, without which nobody may scrape. Without METRICS_PORT: on PORT.',
  })
  @IsOptional()
  @IsString()
  @MinLength(16)
  token: string | undefined;
}

/** Traces, by the standard variables of OpenTelemetry: its SDK reads more of them than are named here. */
export class TracingConfig {
  @Variable('OTEL_EXPORTER_OTLP_ENDPOINT', {
    describe:
      'Collector that is sent traces, without /v1/traces. Default: no traces. OTEL_EXPORTER_OTLP_HEADERS, OTEL_TRACES_SAMPLER, OTEL_RESOURCE_ATTRIBUTES and others of the standard hold, too.',
  })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  endpoint: string | undefined;

  @Variable('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', { describe: 'The same, the whole address.' })
  @IsOptional()
  @IsUrl({ require_tld: false, require_protocol: true, protocols: ['http', 'https'] })
  tracesEndpoint: string | undefined;

  @Variable('OTEL_EXPORTER_OTLP_PROTOCOL', {
    default: 'http/protobuf',
    describe: 'How the collector is spoken to: "http/protobuf" or "http/json".',
  })
  @IsIn(['http/protobuf', 'http/json'])
  protocol: 'http/protobuf' | 'http/json';

  @Variable('OTEL_SERVICE_NAME', { default: 'agate', describe: 'What the service is called in traces.' })
  @IsString()
  serviceName: string;

  @Variable('OTEL_TRACES_EXPORTER', { default: 'otlp', describe: '"none": no traces, whatever the endpoint.' })
  @IsIn(['otlp', 'none'])
  exporter: 'otlp' | 'none';

  @Variable('OTEL_SDK_DISABLED', { default: 'false', describe: '"true": no traces, whatever the endpoint.' })
  @Transform(({ value }) => String(value).toLowerCase() === 'true')
  @IsBoolean()
  isDisabled: boolean;

  /** Whether anybody wants traces. */
  get isOn(): boolean {
    const somewhere = this.endpoint !== undefined || this.tracesEndpoint !== undefined;
    return somewhere && this.exporter !== 'none' && !this.isDisabled;
  }
}

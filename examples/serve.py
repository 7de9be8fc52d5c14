"""vLLM from Python: what is a flag on a command line is a keyword here."""

# mtpconfig: target vllm@0.33.0
from vllm import LLM, SamplingParams

llm = LLM(
    model="Qwen/Qwen3.6-27B",
    max_model_len=32768,
    speculative_config={"method": "mtp", "num_speculative_tokens": 3},
)
print(llm.generate("Hello", SamplingParams(temperature=0.6))[0].outputs[0].text)

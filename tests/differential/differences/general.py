"""Differences of the engine, whichever operation shows them, and what is left out of every chapter."""

DIFFERENCES = {
    r"inplace (masked_fill|index_fill): .*'requires_grad': \(False, True\)": "PyTorch lets an integer tensor that is filled with a tensor that requires grad require it too",
    r"error of multinomial: ": "of two errors (the dtype of out=, the probabilities) the other comes first",
}

NO_SPARSE = "of the sparse layouts there is `sparse_coo` alone, with the functions that gradients and their optimizers need"
NO_QUANTIZED = "there are no quantized tensors"
OTHER_BACKENDS = "kernels of other backends (cuDNN, MKL-DNN, MIOpen, FBGEMM) under their own names"
COMPILER = "for the compiler, the JIT, symbolic shapes and tracing, which an eager engine has no use for"
PRECISION = "autocast for devices that jgrad does not have"

LEFT_OUT = {
    r"resize_as_sparse_|sparse_resize_|sparse_resize_and_clear_|sparse_support_notes|nn\.functional\.sparse_support_notes|"
    r"(to_sparse_|sparse_)(bsc|bsr|csc)(_tensor)?|to_sparse_csr|sparse_csr_tensor|sparse_compressed_tensor|(ccol_|col_|crow_|row_)(indices|indices_copy)|indices_copy|values_copy|"
    r"(ds|hs|s|ss|hsp|sp)(mm|addmm)|sspaddmm": NO_SPARSE,
    r"Tensor\.chalf": "NumPy has no complex numbers of half precision",
    r"native_norm": "another name of norm(), which PyTorch does not document",
    r"from_file": "np.memmap with from_numpy does it",
    r"lobpcg": "an iterative solver for large sparse matrices",
    r".*quantize.*|(Tensor\.)?(q_\w+|int_repr|qscheme)|choose_qparams_optimized|fused_moving_avg_obs_fake_quant": NO_QUANTIZED,
    r"(cudnn|mkldnn|miopen|fbgemm)_.*|.*(mkldnn|vulkan).*|Tensor\.(is_)?(ipu|xpu|mtia|maia|mps|xla)": OTHER_BACKENDS,
    r"\w+_autocast_(ipu|xla)_\w+": PRECISION,
    r"sym_\w+|compiled_with_cxx11_abi|fork|wait|parse_\w+|import_ir_module\w*|merge_type_from_type_comment|unify_type_list|"
    r"get_file_path|cond|while_loop|classproperty|is_distributed|Tensor\.is_distributed|init_num_threads|random\.thread_safe_generator|"
    r"prepare_multiprocessing_environment|profiler_\w+|thread_safe_generator|get_device_module": COMPILER,
    r"rnn_(tanh|relu)|gru|lstm|quantized_\w+": "what `nn.RNN` and its like call; PyTorch does not document it",
    r"batch_norm_\w+|native_batch_norm|_.*": "internal to PyTorch's own layers",
    r"Tensor\.(name|names|refine_names|rename_?|align_\w+|has_names)": "named dimensions, which PyTorch never finished",
    r"Tensor\.(is_nested|to_padded_tensor)": "there are no nested tensors",
    r"Tensor\.(reinforce|resize|resize_as|volatile)": "PyTorch itself only warns or raises",
    r"Tensor\.(record_stream|module_load)": "streams, and how a Module takes what it loads",
}
